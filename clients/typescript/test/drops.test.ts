// Connections that drop: how that is noticed, what is asked for again, and how often.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Holdfast, type StreamInfo, StreamLost } from '../src/index.js'
import { end, follow, numbersOf, SHORT, serve } from './following.js'
import { type Answer, begin, broken, ended, frame, frames, open, place, problem } from './scripted_server.js'
import { freePort } from './server.js'

afterEach(() => {
  vi.useRealTimers()
})

describe('a dropped connection', () => {
  test('is opened again from the last event, and none comes twice', async () => {
    const server = await serve(
      broken(place(0, 9) + frames(1, 4)),
      broken(place(4, 9) + frames(3, 6)),
      ended(place(6, 9) + frames(6, 8) + end(9)),
    )
    const { stream } = follow(server.url)
    expect(await numbersOf(stream)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(server.positions).toEqual(['0', '4', '6'])
    expect(stream.position).toBe(9)
  })

  test('is retried as often as there are delays, and then lost', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const told: StreamInfo[] = []
    const stream = new Holdfast({ url }).session('s').events({
      after: 41,
      delays: [1_000, 2_000, 4_000, 8_000, 16_000],
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

  test('is retried for ever if nothing is said, at last every 3 seconds', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const delays: number[] = []
    const stream = new Holdfast({ url }).session('s').events({
      onState: (state, { delayMs }) => {
        if (state !== 'reconnecting') return
        delays.push(delayMs)
        setTimeout(() => (delays.length < 20 ? stream.retryNow() : stream.close()), 0)
      },
    })
    expect(await numbersOf(stream)).toEqual([])
    expect(delays).toEqual([100, 200, 400, 800, 1_600, ...Array(15).fill(3_000)])
  })

  test('is given up after the time that was set', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const { stream } = follow(url, { after: 3, delays: [1, 20], giveUpAfterMs: 100 })
    await expect(numbersOf(stream)).rejects.toMatchObject({ code: 'stream_lost', position: 3 })
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
    const silent = open(place(0, 2) + frame(1))
    const last = ended(place(1, 2) + end(2))
    // On a busy machine a first connection may have been silent for too long before its event is read.
    const server = await serve((response, request) =>
      (request.headers['last-event-id'] === '0' ? silent : last)(response, request),
    )
    const { stream, told } = follow(server.url, { quietMs: 1_500 })
    expect(await numbersOf(stream)).toEqual([1, 2])
    const [, info] = told.find(([state]) => state === 'reconnecting')!
    expect(info.error?.message).toBe('Nothing was heard for 1.5 s')
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
        // All beats together take longer than may be quiet; a busy machine between two of them does not.
        if (beats === 28) {
          clearInterval(timer)
          response.end(end(1))
        }
      }, 150)
    })
    expect(await numbersOf(follow(server.url, { quietMs: 4_000 }).stream)).toEqual([1])
    expect(server.requests).toHaveLength(1)
  })

  test('is not one while the reader is busy', async () => {
    const server = await serve(ended(place(0, 1) + frame(1) + end(2)))
    // So long that a machine which stands still for a while is not taken for a silent server.
    const { stream } = follow(server.url, { quietMs: 4_000 })
    for await (const event of stream) {
      if (event.sequence === 1) await new Promise((resolve) => setTimeout(resolve, 4_500))
    }
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

  test('is none if it was never one of ours', async () => {
    const server = await serve((response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<html>')
    })
    await expect(numbersOf(follow(server.url).stream)).rejects.toMatchObject({ code: 'foreign' })
  })

  test('is one if a proxy answers in the place of a server that was there', async () => {
    const page: Answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<html>')
    }
    const server = await serve(broken(frame(1)), page, ended(end(2)))
    const { stream, told } = follow(server.url)
    expect(await numbersOf(stream)).toEqual([1, 2])
    expect(told.map(([, info]) => info.error?.code)).toContain('foreign')
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
