import i18next from 'i18next'
import { beforeAll, expect, test } from 'vitest'
import { Log } from '@/fold/testing/log'
import { resources } from '@/i18n'
import { formatFor } from '@/i18n/format'
import { momentOf, type Translate } from './moment'
import { Replay } from './replay'
import { ticksOf } from './ticks'
import { timelineOf } from './timeline'

let t: Translate
beforeAll(async () => {
  const i18n = i18next.createInstance()
  await i18n.init({ resources: resources(), lng: 'en', ns: ['after'], defaultNS: 'after' })
  t = (key, values) => i18n.t(key, { ...values })
})

const drawn = (log: Log) => timelineOf(log.events, new Replay(log.events).whole())

function at(log: Log, index: number) {
  const timeline = drawn(log)
  return momentOf(timeline, log.events, { x: timeline.stops[index]!.x, index }, t, formatFor('en'))
}

test('a moment says which event it is and how far into its run', () => {
  const log = new Log().user('Go').call('a').wait(5000).returned('a').complete()
  expect(at(log, 1)).toMatchObject({ sequence: 2, place: 2, total: 4, event: 'Bash begins', into: '10 ms into run 1' })
  expect(at(log, 2)).toMatchObject({ event: 'Bash ends', into: '5.0 s into run 1' })
})

test('an event that is not known here still has a name', () => {
  const log = new Log().user('Go').add('invented' as 'usage', {})
  expect(at(log, 1).event).toBe('Event')
})

test('between two runs it is in none', () => {
  const log = new Log().user('Go').complete().wait(60_000).user('On')
  const timeline = drawn(log)
  const x = (timeline.stops[1]!.x + timeline.stops[2]!.x) / 2
  expect(momentOf(timeline, log.events, { x, index: 1 }, t, formatFor('en')).into).toBeNull()
})

test('over several days the date is said too', () => {
  const short = at(new Log().user('Go').complete(), 0).time
  const long = at(
    new Log()
      .user('Go')
      .complete()
      .wait(72 * 3_600_000)
      .user('On'),
    0,
  ).time
  expect(short).not.toContain('2026')
  expect(long).toContain('2026')
})

test('times below the axis do not run into each other or over the edge', () => {
  const log = new Log()
  for (let run = 0; run < 30; run += 1)
    log
      .user('Go')
      .wait(run * 1000)
      .complete()
      .wait(3_600_000)
  const timeline = drawn(log)
  for (const width of [300, 700, 1300]) {
    const ticks = ticksOf(timeline, width, 'de')
    expect(ticks.length).toBeGreaterThan(1)
    for (const [index, tick] of ticks.entries()) {
      expect(tick.left).toBeLessThan(width - 60)
      if (index > 0) expect(tick.left - ticks[index - 1]!.left).toBeGreaterThanOrEqual(70)
    }
  }
})
