// What happened beside the conversation, as far as it is worth a line.
import type { Draft } from './draft'
import type { Item, NoteEvent, NoteItem } from './model'
import { started } from './started'
import { setToolState } from './tools'

/** Of these only how often they came in a row counts, and the last one. */
const REPEATING: ReadonlySet<NoteEvent['type']> = new Set(['agent_retry', 'rate_limit', 'stalled'])

/**
 * Of what an agent says that has no event of its own: what it wants a person to read. The rest is how it stands
 * (commands, modes, titles), or what other events tell better (the tasks of subagents).
 */
const READABLE: ReadonlySet<string> = new Set(['informational', 'notice'])

export function takeNote(draft: Draft, event: NoteEvent): void {
  if (!isWorthALine(draft, event)) return
  const place = draft.lastWritten([])
  const before = place === null ? null : draft.at(place)
  if (place !== null && before?.kind === 'note' && before.run === draft.run && isRepeated(before.event, event)) {
    draft.put(place, { ...before, last: event.sequence, event, count: before.count + 1 })
    return
  }
  draft.add([], { ...started(draft, event), kind: 'note', event, count: 1 } satisfies NoteItem)
}

/** A call that the policy refused is known by its name only; of several of that name nobody knows which is meant. */
export function refuseCalled(draft: Draft, toolName: string): void {
  const called: string[] = []
  draft.find((item) => {
    if (item.kind === 'tool' && item.state === 'running' && item.name === toolName) called.push(item.toolId)
    return called.length > 1
  })
  if (called.length === 1) setToolState(draft, called[0], 'refused')
}

function isWorthALine(draft: Draft, event: NoteEvent): boolean {
  switch (event.type) {
    case 'rate_limit':
      return event.data.status !== 'allowed'
    case 'hook_triggered':
      return event.data.decision === 'deny' && !isAnswer(draft, event.sequence)
    case 'agent_update':
      return READABLE.has(event.data.kind)
    default:
      return true
  }
}

/** A person's "no" is told twice: as the answer, which has its line, and directly behind it as a denial. */
function isAnswer(draft: Draft, sequence: number): boolean {
  const isDenied = (item: Item) =>
    item.kind === 'asked' && item.last === sequence - 1 && item.asked.resolved?.decision === 'deny'
  return draft.find(isDenied) !== null
}

function isRepeated(before: NoteEvent, event: NoteEvent): boolean {
  if (before.type !== event.type || !REPEATING.has(event.type)) return false
  return before.type !== 'rate_limit' || event.type !== 'rate_limit' || before.data.status === event.data.status
}
