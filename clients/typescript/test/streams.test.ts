// Streams through bad days: what is retried and how often, what is not, and what the loop gets to see of it.
import { once } from 'node:events'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  type Envelope,
  Holdfast,
  HoldfastError,
  type SessionStreamOptions,
  type StreamInfo,
  StreamLost,
  type StreamNotice,
  type StreamState,
} from '../src/index.js'
import {
  type Answer,
  begin,
  broken,
  CLOSING,
  ended,
  frame,
  frames,
  nothing,
  open,
  place,
  problem,
  ScriptedServer,
} from './scripted_server.js'
import { freePort } from './server.js'

const SHORT = [1, 2, 3, 4, 5]
const servers: ScriptedServer[] = []

afterEach(() => {
  vi.useRealTimers()
  for (const server of servers.splice(0)) server.close()
})

async function serve(...answers: Answer[]): Promise<ScriptedServer> {
  const server = await new ScriptedServer(...answers).listen()
  servers.push(server)
  return server
}

/** A session's stream, and what it told. */
function follow(url: string, options: SessionStreamOptions = {}) {
  const told: [StreamState, StreamInfo][] = []
  const notices: StreamNotice[] = []
  const stream = new Holdfast({ url }).session('s').events({
    delays: SHORT,
    onState: (state, info) => told.push([state, info]),
    onNotice: (notice) => notices.push(notice),
    ...options,
  })
  const states = () => told.map(([state]) => state)
  return { stream, told, notices, states }
}

async function numbersOf(stream: AsyncIterable<Envelope>): Promise<number[]> {
  const numbers: number[] = []
  for await (const event of stream) numbers.push(event.sequence)
  return numbers
}

const end = (number: number) => frame(number, 'agent_complete')
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

describe('the end of a stream', () => {
  test('behind a terminal event is the end of the session, and nobody asks again', async () => {
    const server = await serve(ended(place(0, 3) + frames(1, 2) + end(3)))
    const { stream, states } = follow(server.url)
    expect(await numbersOf(stream)).toEqual([1, 2, 3])
    expect(states()).toEqual(['starting', 'streaming', 'done'])
    expect(server.requests).toHaveLength(1)
    expect(stream.state).toBe('done')
  })

  test('is told by 204', async () => {
    const server = await serve(nothing)
    const { stream, states } = follow(server.url, { after: 7 })
    expect(await numbersOf(stream)).toEqual([])
    expect(states()).toEqual(['starting', 'done'])
    expect(server.positions).toEqual(['7'])
  })

  test('in the middle of a run is a drop', async () => {
    const server = await serve(ended(place(0, 2) + frames(1, 2)), ended(place(2, 3) + end(3)))
    const { stream, states } = follow(server.url)
    expect(await numbersOf(stream)).toEqual([1, 2, 3])
    expect(states()).toEqual(['starting', 'streaming', 'reconnecting', 'streaming', 'done'])
  })

  test('by a broken connection behind a terminal event proves nothing: another run may lie behind it', async () => {
    const server = await serve(broken(place(0, 4) + end(1)), ended(place(1, 4) + frame(2, 'user_message') + end(3)))
    expect(await numbersOf(follow(server.url).stream)).toEqual([1, 2, 3])
    expect(server.positions).toEqual(['0', '1'])
  })
})

describe('a dropped connection', () => {
  test('is opened again from the last event, and none comes twice', async () => {
    const server = await serve(
      broken(place(0, 9) + frames(1, 4)),
      broken(place(4, 9) + frames(3, 6)),
      ended(place(6, 9) + frames(6, 8) + end(9)),
    )
    const { stream } = follow(server.url)
    expect(await numbersOf(stream)).toEqual(upTo(9))
    expect(server.positions).toEqual(['0', '4', '6'])
    expect(stream.position).toBe(9)
  })

  test('is retried after 1, 2, 4, 8 and 16 seconds, and then lost', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const told: StreamInfo[] = []
    const stream = new Holdfast({ url }).session('s').events({
      after: 41,
      onState: (state, info) => {
        if (state !== 'reconnecting') return
        told.push(info)
        // Nobody waits half a minute for a test.
        setTimeout(() => stream.retryNow(), 0)
      },
    })
    const lost = await numbersOf(stream).catch((error: unknown) => error)
    expect(lost).toBeInstanceOf(StreamLost)
    expect(lost).toMatchObject({ position: 41, attempts: 5, code: 'stream_lost' })
    expect(told.map(({ attempt, delayMs }) => [attempt, delayMs])).toEqual([
      [1, 1_000],
      [2, 2_000],
      [3, 4_000],
      [4, 8_000],
      [5, 16_000],
    ])
    expect(told.every(({ error }) => error?.code === 'unreachable')).toBe(true)
    expect(stream.state).toBe('error')
  })

  test('is retried after the delays and not before', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const began = performance.now()
    await expect(numbersOf(follow(url, { delays: [40, 80, 120] }).stream)).rejects.toBeInstanceOf(StreamLost)
    expect(performance.now() - began).toBeGreaterThanOrEqual(235)
  })

  test('that could be opened again has all its attempts before it', async () => {
    const fail = problem(503, 'store_unavailable')
    const server = await serve(fail, fail, fail, fail, broken(place(0, 1)), fail, fail, fail, fail, ended(end(1)))
    const { stream, told } = follow(server.url)
    expect(await numbersOf(stream)).toEqual([1])
    const attempts = told.filter(([state]) => state === 'reconnecting').map(([, info]) => info.attempt)
    expect(attempts).toEqual([1, 2, 3, 4, 1, 2, 3, 4, 5])
  })

  test('can be gone on with after it was lost, from where it stood', async () => {
    const fail = problem(500, 'internal')
    const server = await serve(broken(place(0, 9) + frames(1, 2)), fail, fail, ended(frames(1, 3) + end(4)))
    const { stream } = follow(server.url, { delays: [1, 1] })
    const seen: number[] = []
    const read = async () => {
      for await (const event of stream) seen.push(event.sequence)
    }
    await expect(read()).rejects.toMatchObject({ code: 'stream_lost', position: 2 })
    await read()
    expect(seen).toEqual([1, 2, 3, 4])
    expect(server.positions).toEqual(['0', '2', '2', '2'])
  })

  test('is noticed by its silence', async () => {
    const server = await serve(open(place(0, 2) + frame(1)), ended(place(1, 2) + end(2)))
    const { stream, told } = follow(server.url, { quietMs: 100 })
    expect(await numbersOf(stream)).toEqual([1, 2])
    expect(told[2]?.[1].error?.message).toBe('Nothing was heard for 0.1 s')
  })

  test('is noticed by its silence also if it never answered', async () => {
    const server = await serve(() => {}, ended(end(1)))
    expect(await numbersOf(follow(server.url, { quietMs: 100 }).stream)).toEqual([1])
  })

  test('is not one while the server breathes', async () => {
    const server = await serve((response) => {
      begin(response)
      let beats = 0
      const timer = setInterval(() => {
        beats += 1
        response.write(': heartbeat\n\n')
        if (beats === 8) {
          clearInterval(timer)
          response.end(end(1))
        }
      }, 50)
    })
    expect(await numbersOf(follow(server.url, { quietMs: 300 }).stream)).toEqual([1])
    expect(server.requests).toHaveLength(1)
  })

  test('is not one while the reader is busy', async () => {
    const server = await serve(ended(place(0, 1) + frame(1) + end(2)))
    const { stream } = follow(server.url, { quietMs: 50 })
    for await (const _ of stream) await new Promise((resolve) => setTimeout(resolve, 120))
    expect(server.requests).toHaveLength(1)
  })

  test('is taken for one when the machine wakes up and nothing was heard for long', async () => {
    const server = await serve(open(place(0, 2) + frame(1)), ended(place(1, 2) + end(2)))
    const { stream, told } = follow(server.url)
    const batches = stream.batches()
    expect((await batches.next()).value).toHaveLength(1)
    const next = batches.next()
    stream.retryNow()
    expect(stream.state).toBe('streaming')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25_000 })
    stream.retryNow()
    expect((await next).value).toMatchObject([{ sequence: 2 }])
    expect(told[2]?.[1].error?.message).toBe('The connection was silent for too long')
  })

  test('is one if a proxy answers in the place of the server', async () => {
    const page: Answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<html>')
    }
    const server = await serve(page, ended(end(1)))
    const { stream, told } = follow(server.url)
    expect(await numbersOf(stream)).toEqual([1])
    expect(told[1]?.[1].error?.code).toBe('foreign')
  })
})

describe('a refusal', () => {
  test.each([
    [401, 'unauthorized'],
    [403, 'forbidden_origin'],
    [404, 'not_found'],
    [421, 'wrong_host'],
  ])('with %i is final', async (status, code) => {
    const server = await serve(problem(status, code))
    const { stream, states } = follow(server.url)
    const error = await numbersOf(stream).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(HoldfastError)
    expect(error).toMatchObject({ status, code, title: 'A title', detail: 'A sentence.' })
    expect(states()).toEqual(['starting', 'error'])
    // The fetch standard has a 421 asked for once more, on a connection of its own.
    expect(server.requests).toHaveLength(status === 421 ? 2 : 1)
  })

  test.each([429, 500, 502, 503])('with %i passes', async (status) => {
    const server = await serve(problem(status, 'x'), ended(end(1)))
    expect(await numbersOf(follow(server.url).stream)).toEqual([1])
  })
})

describe('what a stream says about itself', () => {
  test('that the server stops: the client comes back at once, and then with the delays', async () => {
    const server = await serve(
      ended(place(0, 1) + frame(1) + CLOSING),
      ended(place(1, 1) + CLOSING),
      ended(place(1, 1) + CLOSING),
      ended(place(1, 2) + end(2)),
    )
    const { stream, told, notices } = follow(server.url, { delays: [7, 8, 9] })
    expect(await numbersOf(stream)).toEqual([1, 2])
    const waits = told.filter(([state]) => state === 'reconnecting').map(([, info]) => [info.attempt, info.delayMs])
    expect(waits).toEqual([
      [0, 0],
      [1, 7],
      [0, 0],
    ])
    expect(notices).toContainEqual({ closing: 'shutdown' })
  })

  test('that the server stops behind a terminal event: the next one may have more', async () => {
    const server = await serve(ended(end(1) + CLOSING), nothing)
    const { stream, states } = follow(server.url)
    expect(await numbersOf(stream)).toEqual([1])
    expect(states()).toEqual(['starting', 'streaming', 'reconnecting', 'done'])
  })

  test('that the log is another one: everything comes again from the beginning', async () => {
    const server = await serve(ended(place(0, 2, 'reset') + frame(1) + end(2)))
    const { stream, notices } = follow(server.url, { after: 57 })
    expect(await numbersOf(stream)).toEqual([1, 2])
    expect(notices).toEqual([{ resume: 'reset', after: 0, head: 2 }])
  })

  test('that numbers are gone: they are not waited for', async () => {
    const server = await serve(ended(place(0, 5, 'gap') + frame(1) + frame(4) + end(5)))
    const { stream, notices } = follow(server.url)
    expect(await numbersOf(stream)).toEqual([1, 4, 5])
    expect(notices).toEqual([{ resume: 'gap', after: 0, head: 5 }])
  })

  test('nothing of numbers that are missing: they are asked for again, and the first connection is closed', async () => {
    let closed: Promise<unknown> = Promise.resolve()
    const holed: Answer = (response, request) => {
      closed = once(response, 'close')
      open(place(0, 5) + frames(1, 2) + frames(4, 5))(response, request)
    }
    const server = await serve(holed, ended(place(2, 5) + frames(3, 4) + end(5)))
    const { stream, told } = follow(server.url)
    expect(await numbersOf(stream)).toEqual([1, 2, 3, 4, 5])
    expect(server.positions).toEqual(['0', '2'])
    expect(told[2]?.[1].error?.message).toBe('The events 3 to 3 did not come')
    await closed
  })

  test('nothing of numbers that are missing for good: they are not asked for for ever', async () => {
    const server = await serve(open(place(0, 5) + frames(1, 2) + frame(4)), open(place(2, 5) + frame(4)))
    await expect(numbersOf(follow(server.url).stream)).rejects.toMatchObject({ code: 'stream_lost', position: 2 })
    expect(server.requests).toHaveLength(6)
  })
})

describe('leaving', () => {
  /** A stream that stays open, and the moment at which its connection is closed. */
  async function staysOpen(text: string) {
    let closed: Promise<unknown> = Promise.resolve()
    const server = await serve((response) => {
      closed = once(response, 'close')
      open(text)(response, undefined as never)
    })
    return { server, closed: () => closed }
  }

  test('the loop closes the connection', async () => {
    const { server, closed } = await staysOpen(place(0, 3) + frames(1, 3))
    const { stream, states } = follow(server.url)
    for await (const event of stream) if (event.sequence === 2) break
    await closed()
    expect(stream.position).toBe(2)
    expect(states().at(-1)).toBe('idle')
  })

  test('goes on behind the last event that was handed out when it is read again', async () => {
    const server = await serve(open(place(0, 3) + frames(1, 3)), ended(place(2, 4) + frame(3) + end(4)))
    const { stream } = follow(server.url)
    for await (const event of stream) if (event.sequence === 2) break
    expect(await numbersOf(stream)).toEqual([3, 4])
    expect(server.positions).toEqual(['0', '2'])
  })

  test.each(['return', 'close', 'signal'] as const)('by %s is possible while nothing comes', async (way) => {
    const { server, closed } = await staysOpen(place(0, 1) + frame(1))
    const leave = new AbortController()
    const { stream } = follow(server.url, { signal: leave.signal })
    const reading = stream[Symbol.asyncIterator]()
    expect((await reading.next()).value?.sequence).toBe(1)
    const waiting = reading.next()
    if (way === 'return') void reading.return?.()
    else if (way === 'close') stream.close()
    else leave.abort()
    await closed()
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(stream.state).toBe('idle')
  })

  test('is possible between two attempts', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const leave = new AbortController()
    const onState = (state: StreamState) => {
      if (state === 'reconnecting') setTimeout(() => leave.abort(), 0)
    }
    const { stream } = follow(url, { delays: [3_600_000], signal: leave.signal, onState })
    expect(await numbersOf(stream)).toEqual([])
  })

  test('before it began asks for nothing', async () => {
    const server = await serve(nothing)
    const { stream } = follow(server.url, { signal: AbortSignal.abort() })
    expect(await numbersOf(stream)).toEqual([])
    expect(server.requests).toHaveLength(0)
  })

  test('hands out nothing more of what has come', async () => {
    const server = await serve(open(place(0, 9) + frames(1, 9)))
    const leave = new AbortController()
    const seen: number[] = []
    for await (const event of follow(server.url, { signal: leave.signal }).stream) {
      seen.push(event.sequence)
      if (event.sequence === 3) leave.abort()
    }
    expect(seen).toEqual([1, 2, 3])
  })
})

describe('batches', () => {
  test('have all that came together, and are never empty', async () => {
    const server = await serve((response) => {
      begin(response)
      response.write(place(0, 9))
      response.write(frames(1, 500))
      setTimeout(() => response.write(': heartbeat\n\n'), 30)
      setTimeout(() => response.end(end(501)), 60)
    })
    const sizes: number[] = []
    for await (const batch of follow(server.url).stream.batches()) sizes.push(batch.length)
    expect(sizes.reduce((sum, size) => sum + size)).toBe(501)
    expect(Math.min(...sizes)).toBeGreaterThan(0)
    expect(sizes.length).toBeLessThan(20)
  })

  test('are read only when they are asked for', async () => {
    let written = 0
    const server = await serve((response) => {
      begin(response)
      let next = 1
      const more = () => {
        while (next < 1_000_000 && !response.destroyed) {
          const block = frames(next, next + 499)
          next += 500
          written += block.length
          if (!response.write(block)) break
        }
      }
      response.on('drain', more)
      more()
    })
    for await (const batch of follow(server.url).stream.batches()) {
      expect(batch[0]?.sequence).toBe(1)
      await new Promise((resolve) => setTimeout(resolve, 500))
      break
    }
    // The rest waits in the buffers of the sockets; all of it would be 150 MB.
    expect(written).toBeLessThan(20_000_000)
  })

  test('of a stream that is being read already are refused', async () => {
    const server = await serve(open(place(0, 1) + frame(1)))
    const { stream } = follow(server.url)
    for await (const _ of stream) {
      expect(() => stream.batches()).toThrow('being read already')
      break
    }
  })
})

describe('the combined stream', () => {
  test('goes on by position, from where it began if nothing had happened', async () => {
    const server = await serve(
      broken(place(70, 70)),
      broken(place(70, 72) + frame(5, 'message', 72)),
      open(place(72, 72) + frame(5, 'message', 72) + frame(9, 'message', 80)),
    )
    const positions: number[] = []
    for await (const event of new Holdfast({ url: server.url }).events({ delays: SHORT })) {
      positions.push(event.position)
      if (event.position === 80) break
    }
    expect(positions).toEqual([72, 80])
    expect(server.positions).toEqual([undefined, '70', '72'])
  })
})
