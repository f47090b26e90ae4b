import type { SessionRecord } from 'holdfast-client'
import { expect, test } from 'vitest'
import { Log } from '@/fold/testing/log'
import { jsonOf } from './export'

test('the JSON is the record and each event as it is in the log, one a line', () => {
  const { events } = new Log().user('Line\u2028break </script> "quoted"').said('Hello').complete()
  const record = { session_id: 's', task: 'Go' } as SessionRecord
  const json = jsonOf({ record, events })
  expect(JSON.parse(json)).toEqual({ session: record, events })
  expect(json.split('\n').filter((line) => line.startsWith('{"type"'))).toHaveLength(3)
})

test('a session without events is JSON too', () => {
  expect(JSON.parse(jsonOf({ record: {} as SessionRecord, events: [] }))).toEqual({ session: {}, events: [] })
})
