import { expect, test } from 'vitest'
import { askAgainMs, canBeSentAgain, nextOf, outcomeOf, pretty, progressOf } from './delivery'
import type { Delivery } from './webhook'

const NOW = Date.parse('2026-01-01T12:00:00Z')
const at = (ms: number) => new Date(NOW + ms).toISOString()
const delivery = (fields: Partial<Delivery>): Delivery => ({
  id: 'msg_1',
  type: 'run.ended',
  status: 'pending',
  attempts: 0,
  created_at: at(0),
  ...fields,
})

test.each([
  ['pending', {}],
  ['retrying', { attempts: 1, error: 'The receiver answered 503', response_status: 503 }],
  ['pending', { attempts: 1, response_status: 200 }],
  ['delivered', { status: 'delivered', attempts: 1, response_status: 204 }],
  ['failed', { status: 'failed', attempts: 8, error: 'The receiver answered 503' }],
] as const)('a delivery is %s', (progress, fields) => {
  expect(progressOf(delivery(fields))).toBe(progress)
})

test('the outcome is the answer, or why there was none', () => {
  expect(outcomeOf(delivery({}))).toBeNull()
  expect(outcomeOf(delivery({ response_status: 200 }))).toEqual({ kind: 'answered', status: 200 })
  expect(outcomeOf(delivery({ response_status: 503, error: 'x' }))).toEqual({ kind: 'answered', status: 503 })
  expect(outcomeOf(delivery({ response_status: 302, error: 'x' }))).toEqual({ kind: 'redirected', status: 302 })
  expect(outcomeOf(delivery({ error: 'refused' }))).toEqual({ kind: 'unanswered', reason: 'refused' })
})

test('one that has not ended says when it is sent', () => {
  expect(nextOf(delivery({ next_attempt_at: at(5_000) }), true, NOW)).toBe(5_000)
  expect(nextOf(delivery({ next_attempt_at: at(-1) }), true, NOW)).toBe('now')
  expect(nextOf(delivery({}), true, NOW)).toBe('behind')
  expect(nextOf(delivery({ next_attempt_at: at(5_000) }), false, NOW)).toBe('held')
  expect(nextOf(delivery({ status: 'delivered' }), true, NOW)).toBeNull()
})

test('only what the server would send again can be sent again', () => {
  expect(canBeSentAgain(delivery({ status: 'delivered' }), true)).toBe(true)
  expect(canBeSentAgain(delivery({ status: 'failed' }), true)).toBe(true)
  expect(canBeSentAgain(delivery({ next_attempt_at: at(60_000) }), true)).toBe(true)
  expect(canBeSentAgain(delivery({}), true)).toBe(false)
  expect(canBeSentAgain(delivery({ status: 'failed' }), false)).toBe(false)
})

test('deliveries are asked for more often while one is about to be made', () => {
  const calm = askAgainMs([delivery({ status: 'delivered' })], true, NOW)
  expect(askAgainMs([], true, NOW)).toBe(calm)
  expect(askAgainMs([delivery({ next_attempt_at: at(60_000) })], true, NOW)).toBe(calm)
  expect(askAgainMs([delivery({})], true, NOW)).toBe(calm)
  expect(askAgainMs([delivery({ next_attempt_at: at(0) })], false, NOW)).toBe(calm)
  const quick = askAgainMs([delivery({ next_attempt_at: at(0) })], true, NOW)
  expect(quick).toBeLessThan(calm)
  expect(askAgainMs([delivery({ next_attempt_at: at(calm) })], true, NOW)).toBe(quick)
})

test('a body is shown with its lines, and one that is no JSON as it is', () => {
  expect(pretty('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}')
  expect(pretty('{"a":')).toBe('{"a":')
})
