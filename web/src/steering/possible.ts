// What a session can be told in the state that it is in: the server's own rules, so that no button leads to a refusal.
import { isActive, type ResumeBody, type SessionRecord } from 'holdfast-client'
import { LIMITS, type LimitName } from '@/newtask/limits'

export interface Possible {
  pause: boolean
  cancel: boolean
  /** The ways in which it can go on, the better one first; empty if it cannot. */
  resume: readonly NonNullable<ResumeBody['how']>[]
  discard: boolean
  fork: boolean
  switchProfile: boolean
  /** Whether it takes a task now, or only a new session would. */
  task: 'now' | 'later' | 'never'
}

export function possibleOf(record: SessionRecord): Possible {
  const { status } = record
  const active = isActive(status)
  // What has not started has nothing that it could go on with.
  const works = status === 'running' || status === 'waiting'
  return {
    pause: works,
    cancel: active,
    resume: waysOn(record),
    discard: status === 'paused' || status === 'interrupted',
    fork: forkableRuns(record).length > 0,
    switchProfile: works,
    task: active ? 'later' : status === 'cancelled' && record.resumable !== true ? 'never' : 'now',
  }
}

function waysOn(record: SessionRecord): Possible['resume'] {
  const { status, resumable } = record
  if (isActive(status) || status === 'complete' || isDiscarded(record)) return []
  return status !== 'failed' && resumable !== true ? ['rerun'] : ['continue', 'rerun']
}

/** Its last run ended otherwise; that it counts as cancelled is somebody's later word. */
function isDiscarded({ status, stop_reason }: SessionRecord): boolean {
  return status === 'cancelled' && stop_reason !== 'cancelled'
}

/** The runs after which a new session can branch off, the last one first. */
export function forkableRuns(record: SessionRecord): readonly number[] {
  const { capabilities = [], runs, status, agent_session_id } = record
  if (!capabilities.includes('fork') || agent_session_id === undefined) return []
  const last = isActive(status) ? runs - 1 : runs
  const all = Array.from({ length: Math.max(0, last) }, (_, back) => last - back)
  return capabilities.includes('fork_at') ? all : all.filter((run) => run === runs)
}

/** The limit that ended the last run, if it is one that can be raised. */
export function reachedLimit(record: SessionRecord): LimitName | null {
  return isActive(record.status) ? null : (LIMITS.find(({ name }) => name === record.limit)?.name ?? null)
}
