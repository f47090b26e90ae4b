// What screens want to know of a conversation and of its tool calls.
import type { Todo } from 'holdfast-client'
import { changedBy } from './edits'
import type { Conversation, End, Item, Run } from './model'

export { type Call, pathsOf, type ToolIcon, toolIcon } from './call'
export { type Edit, editsOf } from './edits'
export { commandOf, exitCodeOf, outputOf, outputText } from './output'
export { summaryOf } from './summary'

/** The run that is under way; null between runs. */
export function currentRun(conversation: Conversation): Run | null {
  const run = conversation.runs.at(-1)
  return run === undefined || run.end !== null ? null : run
}

/** How the last run that is over ended; null before any has. */
export function lastEnd(conversation: Conversation): End | null {
  return conversation.runs.findLast((run) => run.end !== null)?.end ?? null
}

/** The todo list as it is to be shown: what was being done when a run broke off was not done. */
export function shownTodos(conversation: Conversation): readonly Todo[] {
  const end = conversation.runs.at(-1)?.end ?? null
  if (end === null || end.stopReason === 'success') return conversation.todos
  return conversation.todos.map((todo) => (todo.status === 'in_progress' ? { ...todo, status: 'cancelled' } : todo))
}

export interface ChangedFile {
  path: string
  edits: number
  /** The last item that changed it. */
  key: string
}

/** The files that tools have edited or written, in the order of their first change; those of subagents too. */
export function changedFiles(conversation: Conversation): ChangedFile[] {
  const files = new Map<string, ChangedFile>()
  collect(conversation.items, files)
  return [...files.values()]
}

function collect(items: readonly Item[], files: Map<string, ChangedFile>): void {
  for (const item of items) {
    if (item.kind !== 'tool') continue
    for (const { path, edits } of changedBy(item)) {
      files.set(path, { path, edits: edits + (files.get(path)?.edits ?? 0), key: item.key })
    }
    collect(item.children, files)
  }
}
