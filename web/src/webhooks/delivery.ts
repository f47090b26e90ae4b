// What a delivery has come to, and what comes next. Pure.
import type { Tone } from '@/ui/Chip'
import type { Delivery } from './webhook'

export const STATUSES = ['pending', 'delivered', 'failed'] as const

export type Progress = Delivery['status'] | 'retrying'

export const PROGRESS_TONES: Readonly<Record<Progress, Tone>> = {
  pending: 'neutral',
  retrying: 'warn',
  delivered: 'good',
  failed: 'bad',
}

/** `retrying`: it has failed, and is tried again. One that was delivered and is sent again by hand has not failed. */
export function progressOf({ status, error }: Delivery): Progress {
  return status === 'pending' && error !== undefined ? 'retrying' : status
}

export type Outcome =
  | { kind: 'answered' | 'redirected'; status: number }
  /** No answer came; in the server's words. */
  | { kind: 'unanswered'; reason: string }

/** What came of the last attempt; null before the first. */
export function outcomeOf({ response_status: status, error }: Delivery): Outcome | null {
  if (status !== undefined) return { kind: status >= 300 && status < 400 ? 'redirected' : 'answered', status }
  return error === undefined ? null : { kind: 'unanswered', reason: error }
}

/**
 * When it is sent: `now`, in so many milliseconds, `behind` an earlier one of its session, or `held` until the webhook
 * is active again; null if it has ended.
 */
export type Next = 'now' | 'behind' | 'held' | number | null

export function nextOf({ status, next_attempt_at: at }: Delivery, isActive: boolean, now: number): Next {
  if (status !== 'pending') return null
  if (!isActive) return 'held'
  if (at === undefined) return 'behind'
  const waitMs = Date.parse(at) - now
  return waitMs > 0 ? waitMs : 'now'
}

/** The server refuses it for the others. */
export function canBeSentAgain(delivery: Delivery, isActive: boolean): boolean {
  const next = nextOf(delivery, isActive, 0)
  return isActive && next !== 'behind'
}

// No event tells of deliveries, so they are asked for: often while something is about to happen.
const SOON_MS = 1_000
const SELDOM_MS = 4_000

/** After how long it is worth to ask for them again. */
export function askAgainMs(deliveries: readonly Delivery[], isActive: boolean, now: number): number {
  const isSoon = deliveries.some((delivery) => {
    const next = nextOf(delivery, isActive, now)
    return next === 'now' || (typeof next === 'number' && next <= SELDOM_MS)
  })
  return isSoon ? SOON_MS : SELDOM_MS
}

/** JSON with its lines; what is none, as it is. */
export function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
