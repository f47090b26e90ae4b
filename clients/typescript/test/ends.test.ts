// What ends a stream: the end of its session, or a refusal that will not pass.
import { describe, expect, test } from 'vitest'
import { HoldfastError } from '../src/index.js'
import { end, follow, numbersOf, serve } from './following.js'
import { broken, ended, frame, frames, nothing, place, problem } from './scripted_server.js'

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
    const server = await serve(broken(place(0, 1) + end(1)), ended(place(1, 3) + frame(2, 'user_message') + end(3)))
    expect(await numbersOf(follow(server.url).stream)).toEqual([1, 2, 3])
    expect(server.positions).toEqual(['0', '1'])
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
