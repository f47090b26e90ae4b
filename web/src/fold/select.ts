// What screens want to know of a conversation and of its tool calls.
import { changedBy } from './edits'
import type { Conversation, Item } from './model'

export { type Call, pathsOf, type ToolIcon, toolIcon } from './call'
export { type Edit, editsOf } from './edits'
export { commandOf, exitCodeOf, outputOf, outputText } from './output'
export { summaryOf } from './summary'

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
