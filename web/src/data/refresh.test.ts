import { QueryClient } from '@tanstack/react-query'
import type { EventOf, PositionedEnvelope, SessionRecord, TerminalType } from 'holdfast-client'
import { expect, test } from 'vitest'
import { keys } from './keys'
import { ended, place } from './refresh'

const record = (head: number, status: SessionRecord['status']) => ({ session_id: 's', head, status }) as SessionRecord

function active(...records: SessionRecord[]): QueryClient {
  const cache = new QueryClient()
  cache.setQueryData(keys.active, records)
  return cache
}

test('a session that begins or ends its run enters the list of those at work, or leaves it', () => {
  const other = { ...record(7, 'running'), session_id: 'other' }
  const cache = active(other)
  place(cache, record(1, 'running'))
  expect(cache.getQueryData(keys.active)).toEqual([record(1, 'running'), other])
  place(cache, record(2, 'waiting'))
  expect(cache.getQueryData(keys.active)).toEqual([record(2, 'waiting'), other])
  place(cache, record(3, 'complete'))
  expect(cache.getQueryData(keys.active)).toEqual([other])
})

test('an answer that was overtaken by a later one changes nothing', () => {
  const cache = active(record(4, 'running'))
  place(cache, record(9, 'complete'))
  place(cache, record(5, 'running'))
  expect(cache.getQueryData(keys.record('s'))).toEqual(record(9, 'complete'))
  expect(cache.getQueryData(keys.active)).toEqual([])
})

test.each([
  ['error', 'interrupted', 'interrupted'],
  ['error', 'process_exit', 'failed'],
  ['cancelled', 'paused', 'paused'],
  ['cancelled', 'cancelled', 'cancelled'],
  ['agent_complete', 'success', 'complete'],
] as const)('an end is seen at once, also if the server cannot be asked any more: %s, %s', (type, reason, status) => {
  const other = { ...record(7, 'running'), session_id: 'other' }
  const cache = active(record(4, 'running'), other)
  cache.setQueryData(keys.record('s'), record(4, 'running'))
  const event = { type, session_id: 's', sequence: 9, data: { stop_reason: reason } }
  ended(cache, event as unknown as PositionedEnvelope & EventOf<TerminalType>)
  expect(cache.getQueryData(keys.record('s'))).toEqual(record(4, status))
  expect(cache.getQueryData(keys.active)).toEqual([record(4, status), other])
})

test('an end that an answer of the server has overtaken changes nothing', () => {
  const cache = active(record(12, 'running'))
  const event = { type: 'agent_complete', session_id: 's', sequence: 9, data: { stop_reason: 'success' } }
  ended(cache, event as unknown as PositionedEnvelope & EventOf<TerminalType>)
  expect(cache.getQueryData(keys.active)).toEqual([record(12, 'running')])
})
