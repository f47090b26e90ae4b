// Each event exactly once, through restarts of the server and connections that are cut anywhere.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Envelope, Holdfast, type Session, type StreamState } from '../src/index.js'
import { CuttingProxy } from './cutting_proxy.js'
import { between, seeded } from './random.js'
import { Server, TOKEN } from './server.js'

// Long enough for a server to come up again on a busy machine.
const DELAYS = Array<number>(200).fill(200)
let server: Server

beforeEach(async () => {
  server = await Server.start()
})

afterEach(() => server?.close())

/** Follows to the end; calls `at` when so many events have come. */
async function follow(session: Session, states: StreamState[], at: Map<number, () => void> = new Map()) {
  const events: Envelope[] = []
  const onState = (state: StreamState) => states.push(state)
  for await (const batch of session.events({ delays: DELAYS, onState }).batches()) {
    for (const event of batch) {
      events.push(event)
      at.get(events.length)?.()
    }
  }
  return events
}

async function whole(session: Session): Promise<Envelope[]> {
  const events: Envelope[] = []
  for await (const event of session.events()) events.push(event)
  return events
}

describe('each event comes exactly once', () => {
  test('although the server is killed in the middle and started again', async () => {
    const holdfast = server.client()
    const session = holdfast.session((await holdfast.run({ task: 'tools 150 flood 200 slow 4' })).session_id)
    const states: StreamState[] = []
    let restarted: Promise<void> = Promise.resolve()
    const again = () => {
      restarted = server.kill().then(() => server.start())
    }
    const events = await follow(session, states, new Map([[60, again]]))
    await restarted
    expect(states).toContain('reconnecting')
    expect(states.slice(-2)).toEqual(['streaming', 'done'])
    expect(events.map((event) => event.sequence)).toEqual(events.map((_, index) => index + 1))
    expect(events.at(-1)).toMatchObject({ type: 'agent_complete', data: { stop_reason: 'success' } })
    expect(events).toEqual(await whole(session))
  })

  test('although the server is stopped: the run is interrupted, and goes on when it is resumed', async () => {
    const holdfast = server.client()
    const session = holdfast.session((await holdfast.run({ task: 'tools 500 slow 60' })).session_id)
    const states: StreamState[] = []
    let restarted: Promise<void> = Promise.resolve()
    const again = () => {
      restarted = server.stop().then(() => server.start())
    }
    const events = await follow(session, states, new Map([[20, again]]))
    await restarted
    expect(events.at(-1)).toMatchObject({ data: { stop_reason: 'interrupted' } })
    expect(events).toEqual(await whole(session))
    await session.resume({ how: 'continue' })
    expect((await session.end({ delays: DELAYS })).stop_reason).toBe('success')
  })

  test('although connections are cut at any byte', async () => {
    const random = seeded(7)
    const proxy = await new CuttingProxy(server.port, () => between(random, 1, 12_000)).listen()
    try {
      const direct = server.client()
      const { session_id } = await direct.run({ task: 'tools 300 flood 300 slow 1.5' })
      const cut = new Holdfast({ url: proxy.url, token: TOKEN })
      const delays = Array<number>(50).fill(1)
      const followers = Array.from({ length: 3 }, async () => {
        const events: Envelope[] = []
        for await (const batch of cut.session(session_id).events({ delays }).batches()) events.push(...batch)
        return events
      })
      const combined: Envelope[] = []
      for await (const event of cut.events({ after: 0, delays })) {
        const { position: _, session_id: of, ...own } = event
        if (of === session_id) combined.push(own as Envelope)
        if (event.type === 'agent_complete') break
      }
      const expected = await whole(direct.session(session_id))
      for (const events of await Promise.all(followers)) expect(events).toEqual(expected)
      expect(combined).toEqual(expected)
      expect(proxy.cuts).toBeGreaterThan(20)
    } finally {
      proxy.close()
    }
  })
})
