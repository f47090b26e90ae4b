// Which row an event is in, and what must be unfolded to see it.
import type { Conversation, Item } from '@/fold/model'
import { grouped } from './groups'
import { groupKey } from './row'

export interface Place {
  key: string
  unfold: readonly string[]
}

/** `isDeep`: what is found is inside of a folded row, which is unfolded too. Null if the event is not there. */
export function placeOf(conversation: Conversation, sequence: number, isDeep: boolean): Place | null {
  if (sequence > conversation.head) return null
  return placeIn(conversation.items, sequence, isDeep)
}

function placeIn(items: readonly Item[], sequence: number, isDeep: boolean): Place | null {
  const item = itemAt(items, sequence)
  if (!item) return null
  const group = grouped(items).find((entry) => entry.kind === 'group' && entry.items.includes(item))
  const unfold = group?.kind === 'group' ? [groupKey(group.items[0]!)] : []
  if (item.kind === 'tool' && item.sequence !== sequence && item.children.length > 0) {
    const inside = placeIn(item.children, sequence, isDeep)
    if (inside) return { key: inside.key, unfold: [...unfold, item.key, ...inside.unfold] }
  }
  const isFolded = item.kind === 'tool' || item.kind === 'thinking' || item.kind === 'note'
  return { key: item.key, unfold: isDeep && isFolded ? [...unfold, item.key] : unfold }
}

/** The one that has the event, else the last before it: not every event is to be seen. */
function itemAt(items: readonly Item[], sequence: number): Item | undefined {
  return (
    // Of two subagents at work at the same time, each lasts over the other's events: only one has this event.
    items.findLast((item) => beginsIn(item, sequence)) ??
    items.findLast((item) => item.sequence <= sequence && sequence <= item.last) ??
    items.findLast((item) => item.sequence <= sequence) ??
    items[0]
  )
}

/** Whether the event is the first one of this item, or of one inside of it. */
function beginsIn(item: Item, sequence: number): boolean {
  if (item.sequence === sequence) return true
  return item.kind === 'tool' && item.children.some((child) => beginsIn(child, sequence))
}
