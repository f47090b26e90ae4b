// What a session's status looks like.
import { isActive, type SessionRecord, type SessionStatus } from 'holdfast-client'
import type { Tone } from '@/ui/Chip'

const TONES: Record<SessionStatus, Tone> = {
  pending: 'neutral',
  running: 'good',
  waiting: 'warn',
  complete: 'accent',
  failed: 'bad',
  cancelled: 'bad',
  paused: 'neutral',
  interrupted: 'warn',
}

export function toneOf(status: SessionStatus): Tone {
  return TONES[status]
}

export function isPulsing(status: SessionStatus): boolean {
  return status === 'running' || status === 'pending'
}

export interface Groups {
  needsYou: SessionRecord[]
  running: SessionRecord[]
  recoverable: SessionRecord[]
  finished: SessionRecord[]
}

/** Sorts the three lists of the server into those on the screen: each session stands in one of them only. */
export function grouped(
  active: readonly SessionRecord[],
  recoverable: readonly SessionRecord[],
  finished: readonly SessionRecord[],
): Groups {
  const known = new Set([...active, ...recoverable].map((record) => record.session_id))
  return {
    needsYou: active.filter((record) => record.status === 'waiting'),
    running: active.filter((record) => record.status !== 'waiting'),
    recoverable: recoverable.filter((record) => !active.some((one) => one.session_id === record.session_id)),
    finished: finished.filter((record) => !known.has(record.session_id) && !isActive(record.status)),
  }
}

/** Whether a session fits the words that were typed and the choices that were made. */
export function fits(record: SessionRecord, filter: { q: string; agent: string; project: string }): boolean {
  if (filter.agent && record.agent !== filter.agent) return false
  if (filter.project && record.project_id !== filter.project) return false
  const all = [record.task, record.project_id, record.agent, record.workspace, record.session_id]
    .join(' ')
    .toLowerCase()
  return filter.q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word))
}
