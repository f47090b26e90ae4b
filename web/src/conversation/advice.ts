// What to do after a run that failed, as the name of a text.
import type { End } from '@/fold/model'

/** The key below `advice` in the texts. */
export function adviceFor({ stopReason, errorType, resumable, limit, termination }: End): string {
  if (limit !== null) return 'limit'
  switch (stopReason) {
    case 'auth_failed':
      return 'auth'
    case 'start_failed':
      return 'start'
    case 'max_memory':
    case 'max_output':
    case 'timeout':
    case 'idle_timeout':
    case 'error_max_turns':
    case 'error_max_budget_usd':
      return 'limit'
    case 'interrupted':
      return resumable ? 'interrupted' : 'again'
    default:
  }
  if (errorType === 'rate_limit' || errorType === 'overloaded' || errorType === 'server_error') return 'later'
  if (errorType === 'billing_error') return 'billing'
  if (errorType === 'prompt_too_long') return 'shorter'
  if (errorType === 'model_not_found') return 'model'
  if (termination?.signal === 'SIGKILL' || termination?.exit_code === 137) return 'memory'
  return 'resume'
}
