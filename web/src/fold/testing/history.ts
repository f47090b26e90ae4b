// What history has of a log, and what of a conversation does not depend on whether it came from there [R078].
import type { Envelope } from 'holdfast-client'
import type { Conversation, Item } from '../model'

export function isPartial(event: Envelope): boolean {
  return (event.type === 'message' || event.type === 'thinking') && event.data.is_partial
}

/** History has finals only. */
export function historyOf(events: readonly Envelope[]): Envelope[] {
  return events.filter((event) => !isPartial(event))
}

/** The conversation without where and when its texts began, which only their partials tell. */
export function essence(conversation: Conversation): unknown {
  return { ...conversation, items: conversation.items.map(essenceOf) }
}

function essenceOf(item: Item): unknown {
  if (item.kind === 'text') return { ...item, key: null, sequence: null, last: null, at: null }
  if (item.kind === 'thinking') return { ...item, key: null, sequence: null, last: null, at: null, durationMs: null }
  return item.kind === 'tool' ? { ...item, children: item.children.map(essenceOf) } : item
}
