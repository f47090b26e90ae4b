// What an agent says and thinks: partials grow a text, its final takes their place.
import type { EventOf } from 'holdfast-client'
import type { Draft, Writing } from './draft'
import type { Item } from './model'
import { keyOf } from './started'

type TextEvent = EventOf<'message'> | EventOf<'thinking'>

export function takeText(draft: Draft, event: TextEvent): void {
  const kind = event.type === 'message' ? 'text' : 'thinking'
  const path = draft.below(event.data.parent_id)
  const place = draft.writing(path, kind)
  if (event.data.is_partial) {
    if (place === null) draft.open(path, begun(draft, event, event.data.text, true))
    else {
      const before = draft.at(place) as Writing
      draft.put(place, further(before, event, before.text + event.data.text, true))
    }
    return
  }
  // The order is that of the finals: of two texts under way, the one that is done first stands first.
  const final = event.data.full_text ?? event.data.text
  const partial = place === null ? null : (draft.at(place) as Writing)
  if (place !== null) draft.remove(place)
  if (final.trim() === '') return
  draft.add(path, partial === null ? begun(draft, event, final, false) : further(partial, event, final, false))
}

/**
 * The agent calls its model again, and what came of the broken call counts no more. While a tool runs, the call may be
 * a subagent's; then nothing is known of whose text is meant, and its final will put it right.
 */
export function dropBroken(draft: Draft): void {
  if (draft.find((item) => item.kind === 'tool' && item.state === 'running') !== null) return
  for (const kind of ['text', 'thinking'] as const) {
    for (let place = draft.writing([], kind); place !== null; place = draft.writing([], kind)) draft.remove(place)
  }
}

/** A text that will get no final is what was seen of it. */
export function closed(item: Item): Item {
  return (item.kind === 'text' || item.kind === 'thinking') && item.isOpen ? { ...item, isOpen: false } : item
}

function begun(draft: Draft, event: TextEvent, text: string, isOpen: boolean): Writing {
  const { sequence, timestamp: at } = event
  const { run } = draft
  const key = keyOf(event)
  return event.type === 'message'
    ? { key, sequence, last: sequence, at, run, kind: 'text', text, isOpen }
    : { key, sequence, last: sequence, at, run, kind: 'thinking', text, isOpen, durationMs: isOpen ? 0 : null }
}

/** The same text, further on. Written out, not spread: this is what happens for every piece of it. */
function further(item: Writing, event: TextEvent, text: string, isOpen: boolean): Writing {
  const { key, sequence, at, run } = item
  const last = event.sequence
  if (item.kind === 'text') return { key, sequence, last, at, run, kind: 'text', text, isOpen }
  const durationMs = Math.max(0, Date.parse(event.timestamp) - Date.parse(at))
  return { key, sequence, last, at, run, kind: 'thinking', text, isOpen, durationMs }
}
