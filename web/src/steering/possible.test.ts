import type { SessionRecord, SessionStatus } from 'holdfast-client'
import { describe, expect, it } from 'vitest'
import { forkableRuns, possibleOf, reachedLimit } from './possible'

function record(status: SessionStatus, change: Partial<SessionRecord> = {}): SessionRecord {
  return {
    session_id: 's1',
    status,
    agent: 'claude',
    workspace: '/w',
    task: 'Do it',
    runs: 2,
    head: 9,
    created_at: '2026-01-05T12:00:00.000Z',
    updated_at: '2026-01-05T12:00:00.000Z',
    agent_session_id: 'a1',
    ...change,
  }
}

describe('a session with a run under way', () => {
  it('can be paused, cancelled and put under another profile', () => {
    for (const status of ['running', 'waiting'] as const) {
      expect(possibleOf(record(status))).toMatchObject({
        pause: true,
        cancel: true,
        switchProfile: true,
        resume: [],
        discard: false,
        task: 'later',
      })
    }
  })

  it('can only be cancelled before its agent has started', () => {
    expect(possibleOf(record('pending'))).toMatchObject({ pause: false, cancel: true, switchProfile: false })
  })
})

describe('a session that is over', () => {
  it('goes on if it was paused or interrupted, or is discarded', () => {
    for (const status of ['paused', 'interrupted'] as const) {
      const { resume, discard, task } = possibleOf(record(status, { resumable: true, stop_reason: status }))
      expect({ resume, discard, task }).toEqual({ resume: ['continue', 'rerun'], discard: true, task: 'now' })
    }
  })

  it('goes on if it was cancelled or failed', () => {
    const cancelled = record('cancelled', { resumable: true, stop_reason: 'cancelled' })
    expect(possibleOf(cancelled)).toMatchObject({ resume: ['continue', 'rerun'], discard: false, task: 'now' })
    expect(possibleOf(record('failed', { stop_reason: 'timeout' })).resume).toEqual(['continue', 'rerun'])
  })

  it('can only do its task again if it was cancelled before its agent had started', () => {
    const early = record('cancelled', { resumable: false, stop_reason: 'cancelled' })
    expect(possibleOf(early)).toMatchObject({ resume: ['rerun'], task: 'never' })
  })

  it('is left for a new one if it was discarded', () => {
    const discarded = record('cancelled', { resumable: false, stop_reason: 'paused' })
    expect(possibleOf(discarded)).toMatchObject({ resume: [], discard: false, task: 'never' })
  })

  it('takes its next task if it is complete, but has nothing to go on with', () => {
    expect(possibleOf(record('complete', { stop_reason: 'success' }))).toMatchObject({ resume: [], task: 'now' })
  })
})

describe('a fork', () => {
  it('needs an agent that can, and that has begun', () => {
    expect(forkableRuns(record('complete'))).toEqual([])
    expect(forkableRuns(record('complete', { capabilities: ['fork'] }))).toEqual([2])
    const { agent_session_id, ...unbegun } = record('complete', { capabilities: ['fork'] })
    expect(agent_session_id).toBe('a1')
    expect(forkableRuns(unbegun)).toEqual([])
  })

  it('begins at an earlier run only with an agent that can do that, and never at one under way', () => {
    expect(forkableRuns(record('complete', { capabilities: ['fork', 'fork_at'], runs: 3 }))).toEqual([3, 2, 1])
    expect(forkableRuns(record('running', { capabilities: ['fork', 'fork_at'], runs: 3 }))).toEqual([2, 1])
    expect(forkableRuns(record('running', { capabilities: ['fork'], runs: 3 }))).toEqual([])
  })
})

it('the limit that ended a run is known by the name that the record gives it', () => {
  expect(reachedLimit(record('failed', { limit: 'timeout_s' }))).toBe('timeout_s')
  expect(reachedLimit(record('failed', { limit: 'unheard_of' }))).toBeNull()
  expect(reachedLimit(record('running', { limit: 'timeout_s' }))).toBeNull()
  expect(reachedLimit(record('failed'))).toBeNull()
})
