// What a tool call changes in files, for diffs.
import { type Call, firstText, pathsOf, toolIcon } from './call'
import type { ToolItem } from './model'
import { asObject, asObjects, asText, type JsonObject } from './values'

/** One change. `before` is null for a file that is new, or of which only the new text is known; `after` for a deleted one. */
export interface Edit {
  path: string
  before: string | null
  after: string | null
}

const OLD = ['old_string', 'oldString', 'old_str', 'oldText', 'before']
const NEW = ['new_string', 'newString', 'new_str', 'newText', 'after', 'new_source']
const WHOLE = ['content', 'file_text', 'contents', 'text', 'new_source']

// A finished call is looked at again and again while the session goes on.
const known = new WeakMap<Call, readonly Edit[]>()

/** In the order in which the call makes them; none if it changes nothing, or does not say what. */
export function editsOf(call: Call): readonly Edit[] {
  let edits = known.get(call)
  if (edits === undefined) {
    edits = toolIcon(call) === 'edit' ? found(call) : []
    known.set(call, edits)
  }
  return edits
}

/** The files that were changed by a call, as far as it is known to have worked. */
export function changedBy(tool: ToolItem): readonly { path: string; edits: number }[] {
  if (toolIcon(tool) !== 'edit' || (tool.state !== 'done' && tool.state !== 'unknown')) return []
  const edits = editsOf(tool)
  const paths = edits.length > 0 ? [...new Set(edits.map((edit) => edit.path))] : pathsOf(tool)
  return paths.map((path) => ({ path, edits: edits.filter((edit) => edit.path === path).length || 1 }))
}

/** What the agent shows as a diff is surer than what can be read from the input. */
function found(call: Call): Edit[] {
  const input = asObject(call.input)
  for (const edits of [
    diffs(call.result),
    diffs(call.content),
    diffs(input.content),
    changes(asObject(call.result).changes),
    changes(input.changes),
    named(input, call),
  ]) {
    if (edits.length > 0) return edits
  }
  return []
}

/** ACP's content blocks. */
function diffs(content: unknown): Edit[] {
  return asObjects(content).flatMap((block) => {
    const path = asText(block.path)
    if (block.type !== 'diff' || path === null) return []
    return [{ path, before: textOf(block.oldText), after: textOf(block.newText) }]
  })
}

/** Codex: a change for each path. */
function changes(value: unknown): Edit[] {
  return Object.entries(asObject(value)).flatMap(([path, told]): Edit[] => {
    const change = asObject(told)
    if (change.type === 'add') return [{ path, before: null, after: textOf(change.content) }]
    if (change.type === 'delete') return [{ path, before: textOf(change.content), after: null }]
    return hunks(asText(change.unified_diff) ?? '').map((hunk) => ({ path: asText(change.move_path) ?? path, ...hunk }))
  })
}

/** Inputs with the old and the new text, one pair or several, or with the whole new text. */
function named(input: JsonObject, call: Call): Edit[] {
  const path = pathsOf(call)[0]
  if (path === undefined) return []
  const several = asObjects(input.edits).flatMap((edit) => pair(path, edit))
  if (several.length > 0) return several
  const one = pair(path, input)
  if (one.length > 0) return one
  const whole = WHOLE.map((name) => textOf(input[name])).find((text) => text !== null)
  return whole === undefined || whole === null ? [] : [{ path, before: null, after: whole }]
}

function pair(path: string, fields: JsonObject): Edit[] {
  const before = firstText(fields, OLD)
  const after = firstText(fields, NEW)
  const hasBoth = OLD.some((name) => name in fields) && NEW.some((name) => name in fields)
  return hasBoth ? [{ path, before: before ?? '', after: after ?? '' }] : []
}

/** The parts of a unified diff, each as its lines before and after. */
function hunks(diff: string): { before: string; after: string }[] {
  const parts: { before: string; after: string }[] = []
  for (const line of diff.split('\n')) {
    if (line.startsWith('@@')) parts.push({ before: '', after: '' })
    const part = parts.at(-1)
    if (part === undefined || line === '') continue
    if (line[0] === ' ' || line[0] === '-') part.before += `${line.slice(1)}\n`
    if (line[0] === ' ' || line[0] === '+') part.after += `${line.slice(1)}\n`
  }
  return parts
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
