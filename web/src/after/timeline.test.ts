import { describe, expect, test } from 'vitest'
import { Log } from '@/fold/testing/log'
import { Replay } from './replay'
import { indexAt, indexOfSequence, momentAt, shortened, type Timeline, timelineOf } from './timeline'

const HOUR = 3_600_000

function drawn(log: Log): Timeline {
  return timelineOf(log.events, new Replay(log.events).whole())
}

const spans = (timeline: Timeline, lane: string) => timeline.spans.filter((span) => span.lane === lane)

describe('the axis', () => {
  test('gives each event a place of its own, also those of one millisecond', () => {
    const log = new Log().user('Go').said('One')
    const { stops } = drawn(log.add('usage', { used: 1 }).add('usage', { used: 2 }).complete())
    const places = stops.map((stop) => stop.x)
    expect(new Set(places).size).toBe(log.events.length)
    expect(places).toEqual(places.toSorted((one, other) => one - other))
  })

  test('keeps short times as they were and shortens long ones, the longer the more', () => {
    expect(shortened(1500)).toBe(1500)
    expect(shortened(2000)).toBe(2000)
    expect(shortened(HOUR)).toBeLessThan(8000)
    expect(shortened(12 * HOUR)).toBeLessThan(10_000)
    expect(shortened(12 * HOUR)).toBeGreaterThan(shortened(HOUR))
  })

  test('does not turn around when the clock was set back', () => {
    const log = new Log().user('Go').wait(-HOUR).said('Back')
    const { stops } = drawn(log)
    expect(stops[1]!.x).toBeGreaterThan(stops[0]!.x)
  })

  test('leads from a place to the event before it and back, for every event', () => {
    const { stops, length } = drawn(
      new Log().user('Go').call('a').wait(HOUR).returned('a').skip(40).said('Done').complete(),
    )
    for (const [index, stop] of stops.entries()) {
      expect(indexAt(stops, stop.x)).toBe(index)
      expect(indexAt(stops, stop.x + 1)).toBe(index)
      expect(indexOfSequence(stops, stop.sequence)).toBe(index)
      expect(momentAt(stops, stop.x)).toBe(stop.at)
    }
    expect(indexAt(stops, -5)).toBe(0)
    expect(indexAt(stops, length * 2)).toBe(stops.length - 1)
  })

  test('takes a number that history leaves out for the event before it', () => {
    const { stops } = drawn(new Log().user('Go').skip(100).said('Done'))
    expect(indexOfSequence(stops, 50)).toBe(0)
    expect(indexOfSequence(stops, 102)).toBe(1)
    expect(indexOfSequence(stops, 9999)).toBe(1)
  })

  test('says of a place in a shortened stretch when it really was', () => {
    const { stops } = drawn(new Log().user('Go').wait(HOUR).said('Done'))
    const middle = (stops[0]!.x + stops[1]!.x) / 2
    expect(momentAt(stops, middle)).toBeCloseTo((stops[0]!.at + stops[1]!.at) / 2, -2)
  })

  test('of nothing is empty', () => {
    expect(drawn(new Log())).toEqual({ length: 1, stops: [], spans: [], breaks: [], runs: [] })
    expect(indexAt([], 3)).toBe(0)
  })
})

describe('the lanes', () => {
  test('show a text from the event before it to its final', () => {
    const timeline = drawn(new Log().user('Go').wait(500).said('Hello').thought('Hm'))
    const [text] = spans(timeline, 'text')
    expect(text).toMatchObject({ from: 0, to: timeline.stops[1]!.x })
    expect(spans(timeline, 'thinking')).toHaveLength(1)
  })

  test('show a tool from its start to its end with the state that it came to', () => {
    const log = new Log().user('Go').call('a').wait(700).returned('a').call('b').returned('b', { is_error: true })
    const timeline = drawn(log)
    expect(spans(timeline, 'tool')).toMatchObject([
      { state: 'done', from: timeline.stops[1]!.x, to: timeline.stops[2]!.x, row: 0 },
      { state: 'failed', row: 0 },
    ])
  })

  test('put tools that ran at the same time below each other, in three rows at most', () => {
    const log = new Log().user('Go')
    for (const id of ['a', 'b', 'c', 'd']) log.call(id)
    for (const id of ['a', 'b', 'c', 'd']) log.returned(id)
    expect(spans(drawn(log), 'tool').map((span) => span.row)).toEqual([0, 1, 2, 2])
  })

  test('show what a subagent does', () => {
    const log = new Log()
      .user('Go')
      .call('task', 'Task')
      .call('inner', 'Read', {}, 'task')
      .returned('inner')
      .returned('task')
    expect(spans(drawn(log), 'tool').map((span) => span.row)).toEqual([0, 1])
  })

  test('let what nobody has heard the end of last until the end', () => {
    const running = drawn(new Log().user('Go').call('a').wait(1000).said('Meanwhile'))
    expect(spans(running, 'tool')[0]!.to).toBe(running.length)
    const asked = drawn(new Log().user('Go').ask('r').wait(1000).crash())
    expect(spans(asked, 'wait')[0]!.to).toBe(asked.runs[0]!.to)
  })

  test('show how long a person was waited for', () => {
    const timeline = drawn(new Log().user('Go').ask('r').wait(HOUR).answer('r', 'allow_once').complete())
    expect(spans(timeline, 'wait')).toMatchObject([{ from: timeline.stops[1]!.x, to: timeline.stops[2]!.x }])
    expect(timeline.breaks).toMatchObject([{ isIdle: true, ms: HOUR + 10 }])
  })

  test('tell a stretch in which a tool worked from one in which nobody did', () => {
    const log = new Log().user('Go').call('a').wait(60_000).returned('a').complete().wait(HOUR).user('More').complete()
    expect(drawn(log).breaks.map((one) => one.isIdle)).toEqual([false, true])
  })

  test('have a span for each run, with its end', () => {
    const timeline = drawn(new Log().user('Go').complete().user('More').said('On it'))
    expect(timeline.runs).toMatchObject([
      { number: 1, from: 0, to: timeline.stops[1]!.x, end: { stopReason: 'success' } },
      { number: 2, to: timeline.length, end: null },
    ])
  })
})
