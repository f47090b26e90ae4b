// What waits for a person, and how it was answered.
import type { EventOf } from 'holdfast-client'
import type { Draft, Path } from './draft'
import type { Asked, AskedItem, Item } from './model'
import { started } from './started'
import { setToolState } from './tools'

type Resolved = EventOf<'permission_resolved'>

export function takeAsked(draft: Draft, event: EventOf<'permission_request'> | EventOf<'question'>): void {
  const { sequence, timestamp: at, data } = event
  const base = { requestId: data.request_id, sequence, at, resolved: null }
  const asked: Asked =
    event.type === 'question'
      ? { ...base, kind: 'question', request: event.data }
      : { ...base, kind: 'permission', request: event.data }
  draft.add(beside(draft, data.tool_id), { ...started(draft, event), kind: 'asked', asked })
  draft.waiting = [...draft.waiting, asked]
  setToolState(draft, data.tool_id, 'waiting')
}

export function takeResolved(draft: Draft, event: Resolved): void {
  const { request_id: requestId, decision, tool_input: input } = event.data
  draft.waiting = draft.waiting.filter((asked) => asked.requestId !== requestId)
  const place = draft.find((item) => item.kind === 'asked' && item.asked.requestId === requestId)
  if (place === null) return
  const item = draft.at(place) as AskedItem
  draft.put(place, { ...item, last: event.sequence, asked: { ...item.asked, resolved: event.data } })
  const toolId = item.asked.request.tool_id
  if (decision === 'deny') setToolState(draft, toolId, 'refused')
  else if (!draft.waiting.some((asked) => asked.request.tool_id === toolId))
    setToolState(draft, toolId, 'running', input)
}

/** The run is over, and with it what it wanted to know. */
export function withdrawn(item: Item): Item {
  if (item.kind !== 'asked' || item.asked.resolved !== null) return item
  const resolved = { request_id: item.asked.requestId, decision: 'cancelled', by: 'daemon' }
  return { ...item, asked: { ...item.asked, resolved } }
}

/** In the same list as the call that it is about, so that a subagent's stays with what the subagent does. */
function beside(draft: Draft, toolId: string | undefined): Path {
  return (toolId === undefined ? null : draft.tool(toolId)?.path) ?? []
}
