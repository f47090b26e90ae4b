import { expect, it } from 'vitest'
import { EMPTY, fold } from './fold'
import type { Conversation } from './model'
import { essence, historyOf } from './testing/history'
import { Log } from './testing/log'
import { pieces, random } from './testing/random'

const SEEDS = Array.from({ length: 60 }, (_, seed) => seed)

/** A session in which anything may come while anything is being written; each text gets its final. */
function anySession(seed: number): Log {
  const next = random(seed)
  const log = new Log()
  const one = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!
  for (let run = 0; run < 2; run += 1) {
    log.user(`Task ${run}`)
    const open = new Map<string, () => unknown>()
    const parents: (string | undefined)[] = [undefined]
    const under: string[] = []
    for (let step = 0; step < 40; step += 1) {
      const parent = one(parents)
      const id = `${run}-${step}`
      const moves = {
        say: () => {
          log.say(['a ', 'b '].slice(0, 1 + Math.floor(next() * 2)), parent)
          open.set(`say ${parent}`, () => log.said(`Said ${id}.`, parent))
        },
        think: () => {
          log.think(['h '], parent)
          open.set(`think ${parent}`, () => log.thought(one([`Thought ${id}.`, ' ']), parent))
        },
        finish: () => finish(one([...open.keys()])),
        call: () => {
          log.call(id, one(['Bash', 'Agent']), {}, parent)
          under.push(id)
          if (next() < 0.4) parents.push(id)
        },
        returned: () => under.length > 0 && log.returned(under.shift()!, { is_error: next() < 0.3 }),
        ask: () => log.ask(`r${id}`, one([undefined, ...under])).answer(`r${id}`, one(['allow_once', 'deny'])),
        deny: () => log.add('hook_triggered', { hook_event: '', tool_name: 'Bash', decision: 'deny', message: 'no' }),
        retry: () => log.add('agent_retry', { attempt: step, delay_ms: 1 }),
        stall: () => log.add('stalled', { waiting_on: 'model', idle_ms: 1 }),
        todo: () => log.add('todo_update', { todos: [{ content: id, status: 'pending' }] }),
      }
      one(Object.values(moves))()
    }
    function finish(key: string | undefined): void {
      if (key === undefined) return
      open.get(key)!()
      open.delete(key)
    }
    for (const key of [...open.keys()]) finish(key)
    log.complete()
  }
  return log
}

it.each(SEEDS)('any session (%i) folds to the same from its history as from its stream', (seed) => {
  const { events } = anySession(seed)
  expect(essence(fold(EMPTY, historyOf(events)))).toEqual(essence(fold(EMPTY, events)))
})

it.each(SEEDS)(
  'any session (%i) folds to the same in any pieces, also if history goes over into the stream',
  (seed) => {
    const { events } = anySession(seed)
    const next = random(seed + 1_000)
    const whole = fold(EMPTY, events)
    expect(pieces(events, next).reduce<Conversation>(fold, EMPTY)).toEqual(whole)
    const place = Math.floor(next() * events.length)
    const early = fold(EMPTY, historyOf(events.slice(0, place)))
    expect(essence(fold(early, events))).toEqual(essence(whole))
  },
)
