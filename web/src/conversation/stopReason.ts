// Stop reasons → the names of their texts.
import type { StopReason } from 'holdfast-client'

const NAMES: Readonly<Partial<Record<StopReason, string>>> = {
  error_max_turns: 'max_turns',
  error_max_budget_usd: 'budget_exceeded',
  error_during_execution: 'execution_error',
  error_max_structured_output_retries: 'output_error',
}

const OWN: ReadonlySet<string> = new Set<StopReason>([
  'success',
  'cancelled',
  'paused',
  'refusal',
  'max_tokens',
  'timeout',
  'idle_timeout',
  'max_output',
  'max_memory',
  'process_exit',
  'start_failed',
  'auth_failed',
  'interrupted',
])

/** The key below `stop_reason` in the texts of `agent`. A reason that nobody knows yet is `unknown`. */
export function stopReasonName(reason: string | null | undefined): string {
  if (!reason) return 'unknown'
  return NAMES[reason as StopReason] ?? (OWN.has(reason) ? reason : 'unknown')
}
