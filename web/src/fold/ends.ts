// Where runs begin and end.
import type { EventOf } from 'holdfast-client'
import { withdrawn } from './asked'
import type { Draft } from './draft'
import type { End, Run } from './model'
import { started } from './started'
import { closed } from './text'
import { abandoned } from './tools'
import { asNumber, asObject, type JsonObject } from './values'

type Terminal = EventOf<'agent_complete'> | EventOf<'error'> | EventOf<'cancelled'>

export function takeUserMessage(draft: Draft, event: EventOf<'user_message'>): void {
  const { text, attachments = [], resume = null } = event.data
  // To go on is no task of its own: what is to be done is what was.
  const task = resume === 'continue' ? (draft.runs.at(-1)?.task ?? text) : text
  const number = draft.run + 1
  const run: Run = {
    number,
    first: event.sequence,
    last: null,
    task,
    startedAt: event.timestamp,
    atWorkAt: null,
    endedAt: null,
    end: null,
  }
  draft.runs = [...draft.runs, run]
  draft.facts = { ...draft.facts, costUsd: null }
  draft.add([], { ...started(draft, event), kind: 'user', text, attachments, resume })
}

export function takeEnd(draft: Draft, event: Terminal): void {
  const end = endOf(event)
  draft.changeAll((item) => withdrawn(abandoned(closed(item))))
  draft.waiting = []
  draft.add([], { ...started(draft, event), kind: 'end', end })
  changeRun(draft, { last: event.sequence, endedAt: event.timestamp, end })
  const { costUsd, model } = end
  draft.facts = { ...draft.facts, costUsd: costUsd ?? draft.facts.costUsd, model: model ?? draft.facts.model }
}

/** What could be gone on with was given up: nothing of it can be resumed, and nothing of it is still to be done. */
export function takeDiscarded(draft: Draft): void {
  const before = draft.runs.at(-1)?.end
  draft.todos = []
  if (!before) return
  const end = { ...before, resumable: false }
  draft.changeAll((item) => (item.kind === 'end' ? { ...item, end } : item))
  changeRun(draft, { end })
}

export function changeRun(draft: Draft, change: Partial<Run>): void {
  const run = draft.runs.at(-1)
  if (run !== undefined) draft.runs = [...draft.runs.slice(0, -1), { ...run, ...change }]
}

function endOf(event: Terminal): End {
  const { data, type } = event
  const usage = asObject(data.usage)
  return {
    type,
    stopReason: data.stop_reason,
    agentStopReason: data.agent_stop_reason ?? null,
    message: data.message ?? null,
    errorType: type === 'error' ? event.data.error_type : null,
    termination: data.termination_info,
    resumable: type !== 'agent_complete' && event.data.resumable === true,
    limit: data.limit ?? null,
    costUsd: data.total_cost_usd ?? null,
    durationMs: data.duration_ms ?? null,
    turns: data.num_turns ?? null,
    inputTokens: tokens(usage, [
      'input_tokens',
      'cache_creation_input_tokens',
      'cache_read_input_tokens',
      'inputTokens',
      'cachedReadTokens',
      'cachedWriteTokens',
    ]),
    outputTokens: tokens(usage, ['output_tokens', 'outputTokens']),
    model: data.model ?? null,
  }
}

/** The sum of those that the agent tells; agents count what they read from a cache beside the rest. */
function tokens(usage: JsonObject, names: readonly string[]): number | null {
  const told = names.map((name) => asNumber(usage[name])).filter((count) => count !== null)
  return told.length === 0 ? null : told.reduce((sum, count) => sum + count, 0)
}
