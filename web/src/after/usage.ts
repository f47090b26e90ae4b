// What runs have used up: of one run, and of all that told.
import type { SessionRecord } from 'holdfast-client'
import type { Conversation, Run } from '@/fold/model'
import { durationOf } from '@/project/runs'

export interface Usage {
  costUsd: number | null
  inputTokens: number | null
  outputTokens: number | null
  turns: number | null
  durationMs: number | null
}

export interface UsageSum extends Usage {
  runs: number
  /** Some runs told nothing of what others told. */
  isPartial: boolean
}

const NAMES = ['costUsd', 'inputTokens', 'outputTokens', 'turns', 'durationMs'] as const

/** Of the last run; while it is under way, as far as it is known. */
export function lastUsage(conversation: Conversation, record: SessionRecord, now: number): Usage {
  const run = conversation.runs.at(-1)
  if (run?.end) return usageOf(run)
  const since = run === undefined ? null : Math.max(0, now - Date.parse(run.startedAt))
  return {
    costUsd: conversation.facts.costUsd ?? record.total_cost_usd ?? null,
    inputTokens: null,
    outputTokens: null,
    turns: record.num_turns ?? null,
    durationMs: since,
  }
}

/** Of all runs, the one under way as `last` says. */
export function summedUsage(conversation: Conversation, last: Usage): UsageSum {
  const { runs } = conversation
  const each = [...runs.slice(0, -1).map(usageOf), ...(runs.length > 0 ? [last] : [])]
  const sum: Usage = { costUsd: null, inputTokens: null, outputTokens: null, turns: null, durationMs: null }
  let isPartial = false
  for (const name of NAMES) {
    const told = each.map((usage) => usage[name]).filter((value) => value !== null)
    if (told.length > 0) sum[name] = told.reduce((total, value) => total + value, 0)
    isPartial ||= told.length > 0 && told.length < each.length
  }
  return { ...sum, runs: runs.length, isPartial }
}

/** How full the context is: null if the agent does not tell, never more than 1. */
export function contextFilled({ facts }: Conversation): { used: number; size: number; share: number } | null {
  const { contextUsed: used, contextSize: size } = facts
  if (used === null || size === null || size <= 0) return null
  return { used, size, share: Math.min(1, Math.max(0, used / size)) }
}

function usageOf(run: Run): Usage {
  const { end } = run
  return {
    costUsd: end?.costUsd ?? null,
    inputTokens: end?.inputTokens ?? null,
    outputTokens: end?.outputTokens ?? null,
    turns: end?.turns ?? null,
    durationMs: durationOf(run),
  }
}
