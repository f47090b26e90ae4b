// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { onAnnouncement } from '@/app/announce'
import { EMPTY, fold } from '@/fold/fold'
import { Log } from '@/fold/testing/log'
import { resources } from '@/i18n'
import { useAnnouncements } from './useAnnouncements'

let heard: string[] = []
let leave = () => {}

beforeAll(async () => {
  await i18next.use(initReactI18next).init({ resources: resources(), lng: 'en', interpolation: { escapeValue: false } })
})
beforeEach(() => {
  heard = []
  leave = onAnnouncement((sentence) => heard.push(sentence))
})
afterEach(() => {
  leave()
  cleanup()
})

/** Looks at a session that has begun; `again` shows it further on. */
function watch(log: Log) {
  const { rerender } = renderHook(({ shown }) => useAnnouncements(shown, true), {
    initialProps: { shown: fold(EMPTY, log.events) },
  })
  return { again: (further: Log) => rerender({ shown: fold(EMPTY, further.events) }) }
}

test('what was there when the page was opened is not told', () => {
  watch(new Log().user('Go').said('Hello.'))
  expect(heard).toEqual([])
})

test('a text is told in whole sentences, and each of them once', () => {
  const log = new Log().user('Go')
  const { again } = watch(log)
  again(log.say(['One is whole. Two is', ' not']))
  expect(heard).toEqual(['One is whole.'])
  again(log.said('One is whole. Two is not yet.'))
  expect(heard).toEqual(['One is whole.', 'Two is not yet.'])
})

test('what was said directly before a call is told, although the call comes with it', () => {
  const log = new Log().user('Go')
  const { again } = watch(log)
  again(log.said('Let me look.').call('c'))
  expect(heard).toEqual(['Let me look.'])
  again(log.said('Nothing there.').complete())
  expect(heard).toHaveLength(2)
  expect(heard[1]).toMatch(/^Nothing there\. ./)
})

test('the end is told by its own name', () => {
  const log = new Log().user('Go')
  const { again } = watch(log)
  again(log.complete({ stop_reason: 'error_max_turns' }))
  expect(heard).toHaveLength(1)
  expect(heard[0]).toContain(i18next.t('agent:stop_reason.max_turns'))
})

test('of much that came at once only the last is told', () => {
  const log = new Log().user('Go')
  const { again } = watch(log)
  again(log.said('One.').said('Two.').said('Three.').said('Four.'))
  expect(heard).toEqual(['Three. Four.'])
})
