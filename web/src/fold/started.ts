// What every item has from the event that began it.
import type { Envelope } from 'holdfast-client'
import type { Draft } from './draft'
import type { Item } from './model'

export function started(draft: Draft, event: Envelope): Pick<Item, 'key' | 'sequence' | 'last' | 'at' | 'run'> {
  const { sequence, timestamp } = event
  return { key: keyOf(event), sequence, last: sequence, at: timestamp, run: draft.run }
}

/** No two items have one, since no event begins two. */
export function keyOf(event: Envelope): string {
  return `e${event.sequence}`
}
