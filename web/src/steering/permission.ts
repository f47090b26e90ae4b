// What a permission request offers, and the answers to it: pure.
import type { AnswerBody, Decision, PermissionRequest } from 'holdfast-client'
import { asObject, asText } from '@/fold/values'
import { type Entry, entryOf } from './subject'

const DECISIONS: readonly Decision[] = ['allow_once', 'allow_session', 'allow_project', 'deny']
const LASTING: ReadonlySet<Decision> = new Set(['allow_session', 'allow_project'])

export interface Offers {
  decisions: ReadonlySet<Decision>
  /** What the lasting decisions allow from then on. */
  rule: string | null
  edit: boolean
}

/** Without a rule a lasting decision would allow no more than this one call, so it is not offered. */
export function offersOf(request: PermissionRequest): Offers {
  const offered = new Set(request.options.map((option) => option.kind))
  const rule = asText(request.rule)
  const decisions = new Set(
    DECISIONS.filter((decision) => offered.has(decision) && (rule !== null || !LASTING.has(decision))),
  )
  return { decisions, rule, edit: request.editable === true && decisions.has('allow_once') }
}

/** How an input is edited: the one text that matters, or all of it as JSON. */
export interface Editing {
  field: string | null
  text: string
  /** What stays as it is. */
  rest: readonly Entry[]
}

const TEXTS = ['command', 'new_string', 'content', 'new_source', 'url', 'plan'] as const

export function editingOf(toolInput: unknown): Editing {
  const input = asObject(toolInput)
  const names = Object.keys(input)
  const field = TEXTS.find((name) => typeof input[name] === 'string') ?? (names.length === 1 ? names[0] : undefined)
  const text = field === undefined ? undefined : input[field]
  if (field !== undefined && typeof text === 'string') {
    const rest = Object.entries(input).filter(([name]) => name !== field)
    return { field, text, rest: rest.map(entryOf) }
  }
  return { field: null, text: JSON.stringify(input, null, 2), rest: [] }
}

export type Edited =
  | { input: Record<string, unknown> }
  | { problem: 'empty' | 'no_object' }
  | { problem: 'no_json'; detail: string }

/** The input that the edited text stands for; what was not shown for editing stays as it was. */
export function editedInput(toolInput: unknown, editing: Editing, text: string): Edited {
  if (editing.field !== null) {
    // A file may become empty, a command or an address may not.
    if (text.trim() === '' && (editing.field === 'command' || editing.field === 'url')) return { problem: 'empty' }
    return { input: { ...asObject(toolInput), [editing.field]: text } }
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { problem: 'no_json', detail: error instanceof Error ? error.message : '' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { problem: 'no_object' }
  return { input: value as Record<string, unknown> }
}

/** The answer that allows the call with another input; an input that is the same as before is no other one. */
export function editedAnswer(toolInput: unknown, input: Record<string, unknown>): AnswerBody {
  const isSame = JSON.stringify(input) === JSON.stringify(asObject(toolInput))
  return isSame ? { decision: 'allow_once' } : { decision: 'allow_once', input }
}

export function denial(message: string): AnswerBody {
  const words = message.trim()
  return words === '' ? { decision: 'deny' } : { decision: 'deny', message: words }
}
