import { expect, test } from 'vitest'
import type { End, Run } from '@/fold/model'
import { costOf, durationOf } from './runs'

function run(number: number, end: Partial<End> | null, endedAt: string | null = '2026-01-05T12:00:09.000Z'): Run {
  const startedAt = '2026-01-05T12:00:00.000Z'
  return { number, first: 1, last: null, task: '', startedAt, atWorkAt: startedAt, endedAt, end: end as End | null }
}

test('the cost is that of all runs, also of those that have failed', () => {
  expect(costOf([run(1, { costUsd: 0.25 }), run(2, { costUsd: null }), run(3, { costUsd: 0.5 }), run(4, null)])).toBe(
    0.75,
  )
})

test('a run takes as long as the agent says, and else as long as the log does', () => {
  expect(durationOf(run(1, { durationMs: 1200 }))).toBe(1200)
  expect(durationOf(run(1, { durationMs: null }))).toBe(9000)
  expect(durationOf(run(1, null, null))).toBeNull()
})
