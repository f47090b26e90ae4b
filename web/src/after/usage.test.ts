import type { SessionRecord } from 'holdfast-client'
import { expect, test } from 'vitest'
import { EMPTY, fold } from '@/fold/fold'
import { Log } from '@/fold/testing/log'
import { contextFilled, lastUsage, summedUsage } from './usage'

const RECORD: SessionRecord = {
  session_id: 's',
  status: 'running',
  agent: 'demo',
  workspace: '/w',
  task: 'Go',
  runs: 1,
  head: 1,
  created_at: '2026-01-05T12:00:00.000Z',
  updated_at: '2026-01-05T12:00:00.000Z',
}
const NOW = Date.parse('2026-01-05T12:01:00.010Z')
const first = { total_cost_usd: 0.5, num_turns: 3, duration_ms: 1000, usage: { input_tokens: 10, output_tokens: 4 } }
const second = { total_cost_usd: 0.25, num_turns: 1, duration_ms: 500, usage: { input_tokens: 5, output_tokens: 2 } }

test('of an ended run it is what its end told', () => {
  const conversation = fold(EMPTY, new Log().user('Go').complete(first).events)
  const last = lastUsage(conversation, RECORD, NOW)
  expect(last).toEqual({ costUsd: 0.5, turns: 3, durationMs: 1000, inputTokens: 10, outputTokens: 4 })
})

test('the sum is that of all runs', () => {
  const conversation = fold(EMPTY, new Log().user('Go').complete(first).user('On').complete(second).events)
  const sum = summedUsage(conversation, lastUsage(conversation, RECORD, NOW))
  expect(sum).toEqual({
    costUsd: 0.75,
    turns: 4,
    durationMs: 1500,
    inputTokens: 15,
    outputTokens: 6,
    runs: 2,
    isPartial: false,
  })
})

test('a run under way counts by the clock and by what the agent tells meanwhile', () => {
  const log = new Log().user('Go').add('usage', { used: 50, size: 200, cost_usd: 0.1 })
  const last = lastUsage(fold(EMPTY, log.events), { ...RECORD, num_turns: 2 }, NOW)
  expect(last).toMatchObject({ costUsd: 0.1, durationMs: 60_000, turns: 2, inputTokens: null })
})

test('a run that told nothing makes the sum partial, not zero', () => {
  const conversation = fold(EMPTY, new Log().user('Go').crash().user('On').complete(second).events)
  const sum = summedUsage(conversation, lastUsage(conversation, RECORD, NOW))
  expect(sum).toMatchObject({ costUsd: 0.25, isPartial: true })
})

test('what no run told is not known', () => {
  const conversation = fold(EMPTY, new Log().user('Go').crash().events)
  const sum = summedUsage(conversation, lastUsage(conversation, RECORD, NOW))
  expect(sum).toMatchObject({ costUsd: null, inputTokens: null, durationMs: 10, isPartial: false })
})

test('the context is full at most', () => {
  expect(contextFilled(EMPTY)).toBeNull()
  const told = (used: number, size: number) => fold(EMPTY, new Log().add('usage', { used, size }).events)
  expect(contextFilled(told(50, 200))).toEqual({ used: 50, size: 200, share: 0.25 })
  expect(contextFilled(told(300, 200))?.share).toBe(1)
  expect(contextFilled(told(3, 0))).toBeNull()
})
