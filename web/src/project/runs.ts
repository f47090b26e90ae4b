// A project's runs: what they cost, and how long each took.
import type { Run } from '@/fold/model'

export function costOf(runs: readonly Run[]): number {
  return runs.reduce((sum, run) => sum + (run.end?.costUsd ?? 0), 0)
}

/** As the agent measured it, else from the log; null while it is under way. */
export function durationOf(run: Run): number | null {
  if (run.end?.durationMs != null) return run.end.durationMs
  return run.endedAt === null ? null : Math.max(0, Date.parse(run.endedAt) - Date.parse(run.startedAt))
}
