import type { SessionRecord, SessionStatus } from 'holdfast-client'
import { expect, test } from 'vitest'
import { fits, grouped } from './status'
import { titleOf } from './title'

function record(id: string, status: SessionStatus, more: Partial<SessionRecord> = {}): SessionRecord {
  return {
    session_id: id,
    status,
    agent: 'demo',
    workspace: '/home/me/shop',
    task: 'Fix the test',
    runs: 1,
    head: 1,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    ...more,
  }
}

test('a session that waits for a person stands apart from those at work', () => {
  const groups = grouped([record('a', 'running'), record('b', 'waiting'), record('c', 'pending')], [], [])
  expect(groups.needsYou.map((one) => one.session_id)).toEqual(['b'])
  expect(groups.running.map((one) => one.session_id)).toEqual(['a', 'c'])
})

test('each session stands in one list only, whatever the lists of the server overlap in', () => {
  const groups = grouped(
    [record('a', 'running')],
    [record('b', 'interrupted'), record('a', 'paused')],
    [record('a', 'complete'), record('b', 'interrupted'), record('c', 'complete'), record('d', 'running')],
  )
  expect(groups.recoverable.map((one) => one.session_id)).toEqual(['b'])
  expect(groups.finished.map((one) => one.session_id)).toEqual(['c'])
})

test('every word must occur somewhere in what is known of a session', () => {
  const one = record('abc', 'complete', { project_id: 'shop' })
  const filter = { q: '', agent: '', project: '' }
  expect(fits(one, { ...filter, q: 'FIX shop' })).toBe(true)
  expect(fits(one, { ...filter, q: 'fix nothing' })).toBe(false)
  expect(fits(one, { ...filter, agent: 'claude' })).toBe(false)
  expect(fits(one, { ...filter, project: 'shop' })).toBe(true)
})

test('the title is the first line that says something', () => {
  expect(titleOf('\n  \n Fix it \nplease')).toBe('Fix it')
  expect(titleOf('  ')).toBe('…')
  expect(titleOf('x'.repeat(500)).length).toBe(141)
})
