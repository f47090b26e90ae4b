import { expect, test } from 'vitest'
import { Log } from '@/fold/testing/log'
import { type LanePath, type Look, lanePaths } from './lanePaths'
import { Replay } from './replay'
import { timelineOf } from './timeline'

const drawn = (log: Log, width = 600) => lanePaths(timelineOf(log.events, new Replay(log.events).whole()), width)
const of = (paths: readonly LanePath[], look: Look) => paths.filter((one) => one.look === look)
const bars = (paths: readonly LanePath[]) => paths.reduce((sum, { path }) => sum + (path.match(/M/g)?.length ?? 0), 0)

test('spans that look alike are one path', () => {
  const log = new Log().user('Go')
  for (const id of ['a', 'b', 'c']) log.call(id).wait(900).returned(id).wait(900).said('Next')
  const paths = drawn(log.call('d').returned('d', { is_error: true }))
  expect(paths.map(({ look }) => look)).toEqual(['text', 'done', 'failed'])
  expect(bars(of(paths, 'done'))).toBe(3)
})

test('a long session is no heavier than a short one', () => {
  const log = new Log().user('Go')
  for (let number = 0; number < 2000; number += 1) log.call(`t${number}`).returned(`t${number}`).wait(300).said('Next')
  const paths = drawn(log)
  expect(paths.length).toBeLessThan(8)
  expect(bars(paths)).toBeLessThan(700)
})

test('where little of the time is filled the lane is paler than where all of it is', () => {
  const log = new Log().user('Go')
  for (let number = 0; number < 1000; number += 1) log.call(`a${number}`).wait(30).returned(`a${number}`).wait(900)
  for (let number = 0; number < 1000; number += 1) log.call(`b${number}`).wait(900).returned(`b${number}`)
  const shades = of(drawn(log), 'done').map(({ opacity }) => opacity)
  expect(Math.min(...shades)).toBeLessThan(0.5)
  expect(Math.max(...shades)).toBe(1)
})

test('a failure among thousands that went well is drawn over them and not paler', () => {
  const log = new Log().user('Go')
  for (let number = 0; number < 3000; number += 1) {
    log
      .call(`t${number}`)
      .returned(`t${number}`, { is_error: number === 1500 })
      .wait(500)
  }
  const last = drawn(log).at(-1)!
  expect(last).toMatchObject({ look: 'failed', opacity: 1 })
  expect(bars([last])).toBe(1)
})

test('nothing is drawn beyond the edge, and nothing is too narrow to be seen', () => {
  const [tool] = drawn(new Log().user('Go').wait(3_600_000).call('a').returned('a'), 100)
  const [, from, to] = /^M([\d.]+) [\d.]+H([\d.]+)/.exec(tool!.path)!
  expect(Number(to)).toBeLessThanOrEqual(100)
  expect(Number(to) - Number(from)).toBeGreaterThanOrEqual(2)
})
