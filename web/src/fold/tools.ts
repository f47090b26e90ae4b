// Tool calls: what they were given, how they stand, what came of them.
import type { EventOf } from 'holdfast-client'
import type { Draft } from './draft'
import type { Item, ToolItem, ToolState } from './model'
import { keyOf, started } from './started'
import { asObject, asObjects, asText, type JsonObject } from './values'

export function takeToolStart(draft: Draft, event: EventOf<'tool_start'>): void {
  const { data } = event
  const isAsked = draft.waiting.some((asked) => asked.request.tool_id === data.tool_id)
  // Written out, not spread: calls are the most of a long session, and this takes a tenth of the time.
  draft.add(draft.below(data.parent_id), {
    key: keyOf(event),
    sequence: event.sequence,
    last: event.sequence,
    at: event.timestamp,
    run: draft.run,
    kind: 'tool',
    toolId: data.tool_id,
    name: data.tool_name,
    toolKind: data.kind ?? null,
    title: data.title ?? null,
    input: data.tool_input,
    content: null,
    result: null,
    state: isAsked ? 'waiting' : 'running',
    durationMs: null,
    children: [],
  })
}

export function takeToolComplete(draft: Draft, event: EventOf<'tool_complete'>): void {
  const { data, sequence } = event
  const place = draft.tool(data.tool_id)
  if (place === null) {
    draft.add(draft.below(data.parent_id), { ...unannounced(draft, event), ...outcome(event, 'running') })
    return
  }
  const tool = draft.at(place) as ToolItem
  draft.put(place, { ...tool, last: sequence, ...outcome(event, tool.state) })
}

/** What an ACP agent tells of a call that is under way: more of its input, what it shows so far. */
export function takeToolUpdate(draft: Draft, event: EventOf<'agent_update'>): void {
  const update = asObject(event.data.update)
  const place = draft.tool(asText(update.toolCallId) ?? '')
  if (place === null) return
  const tool = draft.at(place) as ToolItem
  const kind = asText(update.kind)
  draft.put(place, {
    ...tool,
    last: event.sequence,
    title: asText(update.title) ?? tool.title,
    toolKind: kind === null || kind === 'other' ? tool.toolKind : kind,
    input: Object.keys(asObject(update.rawInput)).length > 0 ? update.rawInput : tool.input,
    content: shownBy(update, tool.content),
  })
}

/** What is shown anew takes the place of what was shown; the output of a command (goose tells it in pieces) adds to it. */
function shownBy(update: JsonObject, before: ToolItem['content']): ToolItem['content'] {
  if (Array.isArray(update.content) && update.content.length > 0) return update.content
  const notification = asObject(asObject(update._meta).toolNotification)
  const pieces = asObjects(asObject(notification.params).chunks).map((chunk) => asText(chunk.output) ?? '')
  if (pieces.length === 0) return before
  const last = asObject(asObject(before?.at(-1)).content)
  const text = (asText(last.text) ?? '') + pieces.join('')
  return [{ type: 'content', content: { type: 'text', text } }]
}

/** The call that a person is asked about waits, and goes on or not as they say. */
export function setToolState(draft: Draft, toolId: string | undefined, state: ToolState, input?: unknown): void {
  const place = toolId === undefined ? null : draft.tool(toolId)
  if (place === null) return
  const tool = draft.at(place) as ToolItem
  if (tool.state !== 'running' && tool.state !== 'waiting') return
  draft.put(place, { ...tool, state, ...(input === undefined ? {} : { input }) })
}

/** Nobody will hear any more what came of it. */
export function abandoned(item: Item): Item {
  const isUnderWay = item.kind === 'tool' && (item.state === 'running' || item.state === 'waiting')
  return isUnderWay ? { ...item, state: 'unknown' } : item
}

function outcome({ data }: EventOf<'tool_complete'>, before: ToolState) {
  const shown = Array.isArray(data.content) ? { content: data.content as readonly unknown[] } : {}
  return { state: stateAfter(data, before), result: data.result, durationMs: data.duration_ms, ...shown }
}

function stateAfter(data: EventOf<'tool_complete'>['data'], before: ToolState): ToolState {
  if (before === 'refused' && data.is_error) return 'refused'
  if (data.outcome === 'unknown') return 'unknown'
  return data.is_error ? 'failed' : 'done'
}

/** A call whose start is not in what was folded. */
function unannounced(draft: Draft, event: EventOf<'tool_complete'>): ToolItem {
  const { tool_id: toolId, tool_name: name } = event.data
  const none = { toolKind: null, title: null, input: null, content: null, result: null, durationMs: null, children: [] }
  return { ...started(draft, event), kind: 'tool', toolId, name, state: 'running', ...none }
}
