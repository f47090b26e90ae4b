// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react'
import type { Envelope } from 'holdfast-client'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Services, ServicesProvider } from '@/app/Services'
import { Log } from '@/fold/testing/log'
import { IDLE } from '@/live/connection'
import type { Listener } from '@/live/feed'
import { Observable } from '@/live/observable'
import { useEvents } from './useEvents'

// Longer than what comes together is waited for.
const GATHERED_MS = 1000
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  cleanup()
})

/** A session whose history is read when `answer` is called, and a feed that tells when `tell` is. */
function session(log: Log) {
  const asked: (() => void)[] = []
  const listeners = new Set<Listener>()
  async function* allHistory({ after }: { after: number }) {
    // What is there when it is asked for, and not what has come by the time of the answer.
    const events = log.events.filter((event) => event.sequence > after)
    await new Promise<void>((resolve) => asked.push(resolve))
    yield { events, next_after: undefined }
  }
  const services = {
    client: { session: () => ({ allHistory }) },
    feed: {
      connection: new Observable(IDLE),
      subscribe: (listener: Listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
  } as unknown as Services
  return {
    wrapper: ({ children }: { children: ReactNode }) => (
      <ServicesProvider services={services}>{children}</ServicesProvider>
    ),
    answer: () => asked.shift()?.(),
    isAsked: () => asked.length > 0,
    tell: (event: Envelope) => {
      for (const listener of listeners) listener([{ ...event, session_id: 's', position: event.sequence }])
    },
  }
}

test('what happens while the history is on its way is read too, however long that takes', async () => {
  const log = new Log().user('Go')
  const { wrapper, answer, isAsked, tell } = session(log)
  const { result } = renderHook(() => useEvents('s'), { wrapper })
  expect(isAsked()).toBe(true)
  tell(log.complete().events.at(-1)!)
  await pass(GATHERED_MS)
  answer()
  await pass(0)
  expect(result.current.events).toHaveLength(1)
  await pass(GATHERED_MS)
  expect(isAsked()).toBe(true)
  answer()
  await pass(0)
  expect(result.current.events).toHaveLength(2)
})
