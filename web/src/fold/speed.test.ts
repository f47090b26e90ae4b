import type { Envelope } from 'holdfast-client'
import { expect, it } from 'vitest'
import { EMPTY, fold } from './fold'
import type { Conversation } from './model'
import { historyOf } from './testing/history'
import { Log } from './testing/log'
import { all, texts } from './testing/look'
import { longMessage, longSession } from './testing/synthetic'

// The machine may be slow or busy: it is the processor's time that counts, the best of a few, and times are compared with
// each other, with room to spare. What is looked for is a cost that grows with the session, and that shows.
function cost(work: () => unknown): number {
  const costs = Array.from({ length: 12 }, () => {
    const begin = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(begin)
    return (user + system) / 1000
  })
  return Math.min(...costs)
}

const oneByOne = (before: Conversation, events: readonly Envelope[]) =>
  events.reduce((conversation, event) => fold(conversation, [event]), before)

const session = longSession(5_000)
const long = fold(EMPTY, session)
const message = longMessage(long.head)

it('folds a session of 5,000 events for little more than it costs to copy them', { timeout: 30_000 }, () => {
  expect(session.length).toBeGreaterThanOrEqual(5_000)
  expect(all(long.items).length).toBeGreaterThan(2_500)
  expect(cost(() => fold(EMPTY, session))).toBeLessThan(4 * cost(() => structuredClone(session)))
})

it('costs ten times as much for ten times as many events, not a hundred times', { timeout: 30_000 }, () => {
  const tenfold = longSession(50_000)
  expect(cost(() => fold(EMPTY, tenfold))).toBeLessThan(60 * cost(() => fold(EMPTY, session)))
})

it('takes 4,000 pieces of a text one by one behind a long session', { timeout: 30_000 }, () => {
  const alone = cost(() => oneByOne(EMPTY, message))
  // For each piece the list of items is copied once, and nothing is looked for in it.
  const copying = cost(() => message.reduce((sum) => sum + long.items.slice().length, 0))
  expect(cost(() => oneByOne(long, message))).toBeLessThan(6 * (alone + copying))
  expect(texts(oneByOne(long, message).items).at(-1)).toHaveLength(200_000)
})

function subagentsSaying(count: number): Log {
  const log = new Log().user('Go')
  for (let agent = 0; agent < 5; agent += 1) log.call(`agent-${agent}`, 'Agent')
  for (let n = 0; n < count; n += 1) log.say(['word '], `agent-${n % 5}`)
  return log
}

it('takes what five subagents say at the same time', { timeout: 30_000 }, () => {
  const few = subagentsSaying(400).events
  const many = subagentsSaying(4_000).events
  expect(cost(() => oneByOne(EMPTY, many))).toBeLessThan(50 * cost(() => oneByOne(EMPTY, few)))
})

it('folds the long session from its history to the same', () => {
  expect(fold(long, message).items).toHaveLength(fold(long, historyOf(message)).items.length)
})
