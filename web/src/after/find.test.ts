import { describe, expect, test } from 'vitest'
import { EMPTY, fold } from '@/fold/fold'
import type { Conversation } from '@/fold/model'
import { Log } from '@/fold/testing/log'
import { find, foundNext, plain } from './find'

const folded = (log: Log): Conversation => fold(EMPTY, log.events)
const sequences = (log: Log, query: string) => find(folded(log), query).map((found) => found.sequence)

describe('finding', () => {
  test('looks at tasks, texts, thinking, and the names, inputs and results of tools', () => {
    const log = new Log()
      .user('Fix the needle')
      .thought('Where is the needle?')
      .said('A needle was here')
      .call('a', 'needle_finder', {})
      .returned('a')
      .call('b', 'Bash', { command: 'grep needle', nested: [{ deep: 'no' }] })
      .returned('b')
      .call('c', 'Read', { path: 'x' })
      .returned('c', { result: [{ type: 'text', text: 'one needle' }] })
    expect(sequences(log, 'needle')).toEqual([1, 2, 3, 4, 6, 8])
  })

  test('minds neither case nor accents nor how the lines are broken', () => {
    const log = new Log().user('Die Größe\n   der Übung').said('naïve café')
    expect(sequences(log, 'GRÖSSE DER')).toEqual([1])
    expect(sequences(log, 'grosse der ubung')).toEqual([1])
    expect(sequences(log, 'NAIVE')).toEqual([2])
    expect(sequences(log, 'cafe\u0301')).toEqual([2])
  })

  test('takes the query for words, not for a pattern', () => {
    const log = new Log().user('a.b').said('axb')
    expect(sequences(log, 'a.b')).toEqual([1])
    expect(sequences(log, '.*')).toEqual([])
  })

  test('finds nothing for nothing', () => {
    const log = new Log().user('Go')
    expect(sequences(log, '')).toEqual([])
    expect(sequences(log, '   ')).toEqual([])
  })

  test('does not take the end of one text and the beginning of the next for one', () => {
    const log = new Log().user('Go').call('a', 'Bash', { one: 'left', two: 'right' })
    expect(sequences(log, 'leftright')).toEqual([])
    expect(sequences(log, 'left right')).toEqual([])
  })

  test('does not find the names of fields', () => {
    expect(sequences(new Log().user('Go').call('a', 'Bash', { command: 'ls' }), 'command')).toEqual([])
  })

  test('finds what subagents say behind the call that started them', () => {
    const log = new Log()
      .user('Go')
      .call('task', 'Task', { prompt: 'find the needle' })
      .said('needle of the subagent', 'task')
      .returned('task')
      .said('the needle')
    expect(sequences(log, 'needle')).toEqual([2, 3, 5])
  })

  test('finds how a run ended', () => {
    expect(sequences(new Log().user('Go').crash(), 'status 3')).toEqual([2])
  })

  test('sees what was added to a text that is being written', () => {
    const log = new Log().user('Go').say(['half a nee'])
    const before = folded(log)
    expect(find(before, 'needle')).toEqual([])
    expect(find(fold(before, log.say(['dle']).events), 'needle')).toHaveLength(1)
  })
})

describe('going on', () => {
  const found = [3, 5, 9].map((sequence) => ({ key: `e${sequence}`, sequence }))
  const next = (current: number | null, step: 1 | -1) => foundNext(found, current, step)?.sequence

  test('leads from place to place and around', () => {
    expect([next(3, 1), next(5, 1), next(9, 1)]).toEqual([5, 9, 3])
    expect([next(3, -1), next(5, -1), next(9, -1)]).toEqual([9, 3, 5])
    expect([next(null, 1), next(null, -1)]).toEqual([3, 9])
  })

  test('finds the nearest if the place has gone meanwhile', () => {
    expect([next(4, 1), next(4, -1), next(10, 1), next(1, -1)]).toEqual([5, 3, 3, 9])
  })

  test('of nothing leads nowhere', () => {
    expect(foundNext([], 3, 1)).toBeUndefined()
  })
})

test('text is compared the same way whether or not it is ASCII', () => {
  expect(plain('A \t\n B')).toBe('a b')
  expect(plain('Ä \t\n B')).toBe('a b')
})

test('5,000 items are searched in less than 100 ms, and again in far less', () => {
  const log = new Log().user('Go')
  const lines = 'Über den Tests liegt eine Zeile, and another line of words that nobody looks for.\n'.repeat(6)
  for (let number = 0; number < 2500; number += 1)
    log.said(`${lines}${number}`).call(`t${number}`).returned(`t${number}`)
  const costs = Array.from({ length: 5 }, () => {
    const conversation = folded(log)
    expect(conversation.items.length).toBeGreaterThan(5000)
    return [cost(() => find(conversation, 'zeile')), cost(() => find(conversation, 'ZEILE 12'))] as const
  })
  const first = Math.min(...costs.map(([once]) => once))
  expect(first).toBeLessThan(100)
  expect(Math.min(...costs.map(([, again]) => again))).toBeLessThan(first)
})

/** Milliseconds of this process's own work: the machine is shared, and a turn may be waited for. */
function cost(work: () => void): number {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user / 1000
}
