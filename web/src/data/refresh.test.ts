import { QueryClient } from '@tanstack/react-query'
import type { SessionRecord } from 'holdfast-client'
import { expect, test } from 'vitest'
import { keys } from './keys'
import { place } from './refresh'

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
