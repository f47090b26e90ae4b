// What a permission request is about, whole and undisguised: pure.
import type { PermissionRequest } from 'holdfast-client'
import type { ToolItem } from '@/fold/model'
import { type Call, commandOf, type Edit, editsOf, pathsOf, toolIcon } from '@/fold/select'
import { asObject, asText, type JsonObject } from '@/fold/values'

/** What the call is about, in the form in which it is best judged. */
export type Subject =
  | { kind: 'command'; command: string }
  | { kind: 'edits'; edits: readonly Edit[] }
  | { kind: 'paths'; paths: readonly string[] }
  | { kind: 'address'; address: string }
  | { kind: 'plan'; text: string }
  | { kind: 'input' }

/** What is done, in kinds that have words of their own. */
export type Deed = 'run' | 'edit' | 'write' | 'read' | 'search' | 'fetch' | 'websearch' | 'delegate' | 'plan' | 'other'

export type Entry = readonly [name: string, value: string]

export interface Shown {
  deed: Deed
  subject: Subject
  /** The agent's own words for it. */
  about: string | null
  /** All else that is in the input: nothing that a person allows may be out of sight. */
  rest: readonly Entry[]
}

// The fields that a subject is made of. What stands in another one is shown, even if it says the same.
const MADE_OF: ReadonlySet<string> = new Set([
  ...['command', 'cmd', 'shell_command', 'script', 'url', 'plan', 'edits', 'content', 'contents', 'file_text', 'text'],
  ...['old_string', 'oldString', 'old_str', 'oldText', 'new_string', 'newString', 'new_str', 'newText', 'new_source'],
  ...['file_path', 'filePath', 'notebook_path', 'path', 'absolute_path', 'abs_path', 'target_file', 'file', 'filename'],
])

/** `tool` is the call as the conversation has it: some agents show a change there and nowhere else. */
export function shownOf(request: PermissionRequest, tool: ToolItem | null = null): Shown {
  const input = asObject(request.tool_input)
  const call: Call = {
    name: request.tool_name,
    toolKind: tool?.toolKind ?? null,
    input,
    title: request.title ?? null,
    content: tool?.content ?? null,
  }
  const subject = subjectOf(call, input)
  const about = subject.kind === 'input' ? null : asText(input.description)
  const texts = textsOf(subject)
  const rest = Object.entries(input).filter(
    ([name, value]) => !(MADE_OF.has(name) && isIn(texts, value)) && !(about !== null && name === 'description'),
  )
  return { deed: deedOf(call, subject), subject, about, rest: rest.map(entryOf) }
}

function subjectOf(call: Call, input: JsonObject): Subject {
  const command = commandOf(call) ?? asText(input.command)
  if (command !== null) return { kind: 'command', command }
  const edits = editsOf(call)
  if (edits.length > 0) return { kind: 'edits', edits }
  const address = asText(input.url)
  if (address !== null) return { kind: 'address', address }
  const text = asText(input.plan)
  if (text !== null) return { kind: 'plan', text }
  const paths = pathsOf(call)
  return paths.length > 0 ? { kind: 'paths', paths } : { kind: 'input' }
}

function deedOf(call: Call, subject: Subject): Deed {
  switch (toolIcon(call)) {
    case 'edit':
      return subject.kind === 'edits' && subject.edits.every(({ before }) => before === null) ? 'write' : 'edit'
    case 'web':
      return /search/i.test(call.name) ? 'websearch' : 'fetch'
    case 'agent':
      return 'delegate'
    case 'run':
      return 'run'
    case 'read':
      return 'read'
    case 'search':
      return 'search'
    default:
      return subject.kind === 'command' ? 'run' : subject.kind === 'plan' ? 'plan' : 'other'
  }
}

function textsOf(subject: Subject): ReadonlySet<unknown> {
  switch (subject.kind) {
    case 'command':
      return new Set([subject.command])
    case 'edits':
      return new Set(subject.edits.flatMap(({ path, before, after }) => [path, before, after]))
    case 'paths':
      return new Set(subject.paths)
    case 'address':
      return new Set([subject.address])
    case 'plan':
      return new Set([subject.text])
    case 'input':
      return new Set()
  }
}

/** Whether all of a value is among these texts; a number or a switch inside it never is. */
function isIn(texts: ReadonlySet<unknown>, value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every((part) => isIn(texts, part))
  return texts.has(value)
}

export function entryOf([name, value]: readonly [string, unknown]): Entry {
  return [name, typeof value === 'string' ? value : JSON.stringify(value, null, 2)]
}

/** `mcp__github__create_issue` is two names: whose tool it is, and its own. */
export function toolLabel(toolName: string): string {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(toolName) ?? []
  return server && tool ? `${server}: ${tool}` : toolName
}
