import { expect, test } from 'vitest'
import { EMPTY, fold } from '@/fold/fold'
import { Log } from '@/fold/testing/log'
import { Replay } from './replay'

function longLog(events: number): Log {
  const log = new Log().user('Go')
  for (let number = 1; log.events.length < events - 3; number += 1) {
    log.thought(`Thinking about ${number}`).call(`t${number}`).returned(`t${number}`).said(`Done with ${number}`)
    if (number % 200 === 0) log.complete().user('And on')
  }
  return log.complete()
}

test('each moment is what folding all events up to it gives, whichever way one comes there', () => {
  const { events } = longLog(1700)
  const replay = new Replay(events)
  for (const count of [0, 1, 700, 699, 500, 501, 1700, 3, 1200, events.length, 0, 1000]) {
    expect(replay.after(count)).toEqual(fold(EMPTY, events.slice(0, count)))
  }
})

test('a moment beyond the end is the end, and one before the beginning is empty', () => {
  const { events } = longLog(20)
  const replay = new Replay(events)
  expect(replay.after(999)).toBe(replay.whole())
  expect(replay.after(-1)).toBe(EMPTY)
})

test('going on keeps what has not changed as it is', () => {
  const replay = new Replay(longLog(100).events)
  const before = replay.after(40)
  const after = replay.after(41)
  expect(after.items[3]).toBe(before.items[3])
})

test('what comes later is taken in', () => {
  const { events } = longLog(1100)
  const replay = new Replay(events.slice(0, 900))
  replay.whole()
  replay.extend(events.slice(900))
  expect(replay.whole()).toEqual(fold(EMPTY, events))
})

test('a session of 5,000 events is scrubbed in less than a frame per move', () => {
  const replay = new Replay(longLog(5000).events)
  replay.whole()
  // Any order: back and forth over the whole of it, by a generator that needs no luck.
  const moves = Array.from({ length: 300 }, (_, move) => (move * 2741) % 5000)
  const times = moves.map((count) => {
    const begin = process.cpuUsage()
    replay.after(count)
    const { user, system } = process.cpuUsage(begin)
    return (user + system) / 1000
  })
  times.sort((one, other) => one - other)
  // The machine is shared: it is the processor's time that counts, and of that the 95th percentile, since now and then
  // garbage is collected.
  expect(times[Math.floor(times.length * 0.95)]).toBeLessThan(16)
})
