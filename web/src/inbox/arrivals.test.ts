import type { Waiting } from 'holdfast-client'
import { expect, it } from 'vitest'
import { changesOf, titleWithCount } from './arrivals'
import { bySession } from './bySession'

function waiting(id: string, session_id = 's1'): Waiting {
  return {
    session_id,
    type: 'question',
    asked_at: '2026-01-05T12:00:00.000Z',
    agent: 'demo',
    workspace: '/w',
    task: 'Do it',
    request: { request_id: id, text: '?', questions: [], expires_at: '2026-01-05T12:10:00.000Z' },
  }
}

it('what was there at the first look has not arrived', () => {
  expect(changesOf(null, [waiting('a')])).toEqual({ arrived: [], gone: [] })
})

it('what is new has arrived, and what is missing has gone', () => {
  const [a, b] = [waiting('a'), waiting('b')]
  expect(changesOf([a], [b])).toEqual({ arrived: [b], gone: [a] })
  expect(changesOf([a], [waiting('a')])).toEqual({ arrived: [], gone: [] })
})

it('a title says how many wait, and nothing if none does', () => {
  expect(titleWithCount('Holdfast', 2)).toBe('(2) Holdfast')
  expect(titleWithCount('Holdfast', 0)).toBe('Holdfast')
})

it('requests of one session stand together, the session that has waited longest first', () => {
  const [a, b, c] = [waiting('a', 's1'), waiting('b', 's2'), waiting('c', 's1')]
  expect(bySession([a, b, c])).toEqual([[a, c], [b]])
})
