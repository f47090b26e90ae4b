import { type Holdfast, isTerminal, type PositionedEnvelope } from 'holdfast-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Server } from '../../../clients/typescript/test/server'
import { EMPTY, fold } from '../fold/fold'
import type { Conversation } from '../fold/model'
import { SessionLog } from './log'

let server: Server
let client: Holdfast

beforeAll(async () => {
  server = await Server.start()
  client = server.client()
}, 60_000)
afterAll(() => server.close(), 30_000)

function textsOf(conversation: Conversation): string[] {
  return conversation.items.filter((item) => item.kind === 'text').map((item) => item.text)
}

function ended(log: SessionLog): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      const { conversation } = log.view.get()
      if (conversation.items.at(-1)?.kind !== 'end') return
      unsubscribe()
      resolve()
    }
    const unsubscribe = log.view.subscribe(look)
    look()
  })
}

// However much comes together on a busy machine, there are many parts to be lost or repeated.
const PART = 5

/** Passes on what the combined stream brings, but loses or repeats some of it on the way. */
async function feed(
  log: SessionLog,
  signal: AbortSignal,
  position: number,
  spoil: (events: PositionedEnvelope[]) => PositionedEnvelope[][],
) {
  const stream = client.events({ after: position, signal })
  for await (const batch of stream.batches()) {
    const own = batch.filter((event) => event.session_id === log.id)
    for (let begin = 0; begin < own.length; begin += PART) {
      for (const part of spoil(own.slice(begin, begin + PART))) log.offer(part)
    }
  }
}

async function whole(id: string): Promise<Conversation> {
  const events = []
  for await (const event of client.session(id).events()) events.push(event)
  return fold(EMPTY, events)
}

test('a log that is joined in the middle of a text has all of it, once', async () => {
  const { position } = await client.sessions({ limit: 1 })
  const { session_id } = await client.run({ task: 'flood 400 slow 3' })
  const stop = new AbortController()
  const log = new SessionLog(client, session_id)
  const feeding = feed(log, stop.signal, position, (events) => [events])
  await log.catchUp()
  await ended(log)
  stop.abort()
  await feeding
  expect(log.view.get().state).toBe('ready')
  expect(textsOf(log.view.get().conversation)).toEqual(textsOf(await whole(session_id)))
  log.close()
}, 40_000)

test('what the feed loses, repeats or brings out of order is mended by catching up', async () => {
  const { position } = await client.sessions({ limit: 1 })
  const { session_id } = await client.run({ task: 'flood 300 tools 20 slow 3' })
  const stop = new AbortController()
  const log = new SessionLog(client, session_id)
  let batches = 0
  const feeding = feed(log, stop.signal, position, (events) => {
    batches += 1
    // Behind the very last event nothing comes that would show its loss.
    if (batches % 3 === 0 && !events.some(isTerminal)) return [] // lost
    if (batches % 4 === 0) return [events, events] // twice
    return [events.slice(1), events] // without its first one, then whole
  })
  await log.catchUp()
  await ended(log)
  stop.abort()
  await feeding
  expect(batches).toBeGreaterThan(5)
  const conversation = log.view.get().conversation
  expect(textsOf(conversation)).toEqual(textsOf(await whole(session_id)))
  expect(conversation.items.filter((item) => item.kind === 'tool').length).toBe(
    (await whole(session_id)).items.filter((item) => item.kind === 'tool').length,
  )
  log.close()
}, 40_000)

test('a session that does not exist is missing, not empty', async () => {
  const log = new SessionLog(client, '00000000-0000-4000-8000-000000000000')
  await log.catchUp()
  expect(log.view.get().state).toBe('missing')
})

test('a session that waits for a person is ready, though nothing more comes', async () => {
  const { session_id } = await client.run({ task: 'ask' })
  const log = new SessionLog(client, session_id)
  for (;;) {
    await log.catchUp()
    if (log.view.get().conversation.waiting.length > 0) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  expect(log.view.get().state).toBe('ready')
  await client.session(session_id).cancel()
  await log.catchUp()
  expect(log.view.get().conversation.waiting).toEqual([])
  log.close()
}, 30_000)
