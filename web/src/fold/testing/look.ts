// Short words for what tests look at in a conversation.
import type { Conversation, Item, NoteItem, ToolItem } from '../model'

export const kinds = (items: readonly Item[]): string[] => items.map((item) => item.kind)

export const texts = (items: readonly Item[]): string[] =>
  items.flatMap((item) => (item.kind === 'text' || item.kind === 'thinking' ? [item.text] : []))

/** All items, those of subagents behind the call that started them. */
export const all = (items: readonly Item[]): Item[] =>
  items.flatMap((item) => (item.kind === 'tool' ? [item, ...all(item.children)] : [item]))

export const notes = (conversation: Conversation): NoteItem[] =>
  all(conversation.items).filter((item) => item.kind === 'note')

export function tool(conversation: Conversation, toolId: string): ToolItem {
  const found = all(conversation.items).find((item) => item.kind === 'tool' && item.toolId === toolId)
  if (found?.kind !== 'tool') throw new Error(`There is no call ${toolId}`)
  return found
}
