// Leaving a stream: the connection is closed at once, and the next loop goes on where this one stood.
import { describe, expect, test } from 'vitest'
import type { StreamState } from '../src/index.js'
import { end, follow, numbersOf, serve, watched } from './following.js'
import { ended, frame, frames, nothing, open, place } from './scripted_server.js'
import { freePort } from './server.js'

describe('leaving', () => {
  /** A stream that stays open, and the moment at which its connection is closed. */
  async function staysOpen(text: string) {
    const { answer, closed } = watched(open(text))
    return { server: await serve(answer), closed }
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
