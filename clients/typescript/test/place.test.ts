// Where a reader stands: each event passes once, and what is missing is noticed.
import { describe, expect, test } from 'vitest'
import { CombinedPlace, SessionPlace } from '../src/place.js'
import { type Frame, SseParser } from '../src/sse.js'
import { CLOSING, frame, frames, place } from './scripted_server.js'

const parsed = (text: string): Frame[] => new SseParser().feed(new TextEncoder().encode(text))
const numbers = (events: { sequence: number }[]) => events.map((event) => event.sequence)

describe('a place in the log of a session', () => {
  test('lets each event pass once', () => {
    const here = new SessionPlace(0, true)
    expect(numbers(here.take(parsed(frames(1, 3))).events)).toEqual([1, 2, 3])
    expect(numbers(here.take(parsed(frames(2, 5))).events)).toEqual([4, 5])
    expect(here.after).toBe(5)
  })

  test('takes what comes before a hole, and nothing behind it', () => {
    const here = new SessionPlace(0, true)
    const { events, fault } = here.take(parsed(frames(1, 2) + frames(4, 6)))
    expect(numbers(events)).toEqual([1, 2])
    expect(fault?.message).toBe('The events 3 to 3 did not come')
    expect(here.after).toBe(2)
  })

  test('lets numbers be missing up to the head if the server says so, and none behind it', () => {
    const here = new SessionPlace(0, true)
    const first = here.take(parsed(place(0, 9, 'gap') + frame(4) + frame(9) + frame(10)))
    expect(numbers(first.events)).toEqual([4, 9, 10])
    expect(first.fault).toBeUndefined()
    expect(here.take(parsed(frame(12))).fault).toBeDefined()
  })

  test('does not carry a gap over to the next connection', () => {
    const here = new SessionPlace(0, true)
    here.take(parsed(place(0, 9, 'gap') + frame(4)))
    expect(here.take(parsed(place(4, 9) + frame(6))).fault).toBeDefined()
  })

  test('lets numbers be missing if it was asked for without partials', () => {
    const { events, fault } = new SessionPlace(0, false).take(parsed(place(0, 9) + frame(2) + frame(7) + frame(20)))
    expect(numbers(events)).toEqual([2, 7, 20])
    expect(fault).toBeUndefined()
  })

  test('begins again where a reset says', () => {
    const here = new SessionPlace(40, true)
    const { events, notices } = here.take(parsed(place(0, 2, 'reset') + frames(1, 2)))
    expect(numbers(events)).toEqual([1, 2])
    expect(notices).toEqual([{ resume: 'reset', after: 0, head: 2 }])
  })

  test('is over behind a terminal event until the next task', () => {
    const here = new SessionPlace(0, true)
    here.take(parsed(frame(1, 'user_message') + frame(2, 'agent_complete')))
    expect(here.isOver).toBe(true)
    here.take(parsed(frame(3, 'discarded')))
    expect(here.isOver).toBe(true)
    here.take(parsed(frame(4, 'user_message')))
    expect(here.isOver).toBe(false)
  })

  test('keeps what it took before something that is no event', () => {
    const here = new SessionPlace(0, true)
    const { events, fault } = here.take(parsed(`${frames(1, 2)}data: <html>\n\n${frame(3)}`))
    expect(numbers(events)).toEqual([1, 2])
    expect(fault).toMatchObject({ code: 'foreign' })
    expect(here.after).toBe(2)
  })
})

describe('a place in the combined log', () => {
  test('counts by position, of which some are missing', () => {
    const here = new CombinedPlace(10)
    const { events } = here.take(parsed(frame(1, 'message', 12) + frame(1, 'message', 12) + frame(1, 'message', 20)))
    expect(events.map((event) => event.position)).toEqual([12, 20])
    expect(here.after).toBe(20)
  })

  test('knows where it stands before the first event', () => {
    const here = new CombinedPlace(undefined)
    here.take(parsed(place(33, 33)))
    expect(here.after).toBe(33)
  })

  test('is told of a shutdown', () => {
    expect(new CombinedPlace(1).take(parsed(CLOSING)).notices).toEqual([{ closing: 'shutdown' }])
  })
})
