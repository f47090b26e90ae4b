// The edits of a session, file by file: what was added and removed, and by which calls.
import { countChanges } from '@/conversation/changes'
import type { Conversation, Item, ToolItem } from '@/fold/model'
import { changedFiles, type Edit, editsOf } from '@/fold/select'

export interface FileEdits {
  /** As the agent named it. */
  path: string
  added: number
  removed: number
  /** In the order in which they were made; empty if a tool changed the file and does not say how. */
  changes: readonly Change[]
}

export interface Change {
  edit: Edit
  tool: ToolItem
}

/** In the order of their last change, the latest first. */
export function editedFiles(conversation: Conversation): FileEdits[] {
  const changes = new Map<string, Change[]>()
  const last = new Map<string, number>()
  for (const tool of toolsIn(conversation.items)) {
    for (const edit of editsOf(tool)) {
      const known = changes.get(edit.path)
      if (known) known.push({ edit, tool })
      else changes.set(edit.path, [{ edit, tool }])
    }
    last.set(tool.key, tool.sequence)
  }
  for (const [path, own] of changes) changes.set(path, withKnownBefore(own))
  return changedFiles(conversation)
    .toSorted((one, other) => (last.get(other.key) ?? 0) - (last.get(one.key) ?? 0))
    .map(({ path }) => {
      const own = changes.get(path) ?? []
      return { path, ...countChanges(own.map(({ edit }) => edit)), changes: own }
    })
}

/** Those that changed something; those of subagents behind the call that started them. */
export function toolsIn(items: readonly Item[]): ToolItem[] {
  return items.flatMap((item) => {
    if (item.kind !== 'tool') return []
    const hasWorked = item.state === 'done' || item.state === 'unknown'
    return [...(hasWorked ? [item] : []), ...toolsIn(item.children)]
  })
}

/**
 * Who writes a whole file does not say what was in it. If it is known from the writes and edits before, it is compared
 * with that.
 */
function withKnownBefore(changes: readonly Change[]): Change[] {
  let content: string | null = null
  return changes.map((change) => {
    const { edit } = change
    if (edit.before !== null) {
      content = content?.includes(edit.before) ? content.replace(edit.before, () => edit.after ?? '') : null
      return change
    }
    const before = content
    content = edit.after
    return before === null ? change : { ...change, edit: compared(edit, before) }
  })
}

// The same object as long as nothing changes: its diff is made once.
const known = new WeakMap<Edit, Edit>()

function compared(edit: Edit, before: string): Edit {
  const ready = known.get(edit)
  if (ready?.before === before) return ready
  const whole = { ...edit, before }
  known.set(edit, whole)
  return whole
}
