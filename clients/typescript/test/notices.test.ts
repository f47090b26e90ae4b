// What a stream says about itself, and what becomes of events that are missing.
import { describe, expect, test } from 'vitest'
import { end, follow, numbersOf, serve, watched } from './following.js'
import { CLOSING, ended, frame, frames, nothing, open, place } from './scripted_server.js'

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
    const holed = watched(open(place(0, 5) + frames(1, 2) + frames(4, 5)))
    const server = await serve(holed.answer, ended(place(2, 5) + frames(3, 4) + end(5)))
    const { stream, told } = follow(server.url)
    expect(await numbersOf(stream)).toEqual([1, 2, 3, 4, 5])
    expect(server.positions).toEqual(['0', '2'])
    expect(told[2]?.[1].error?.message).toBe('The events 3 to 3 did not come')
    await holed.closed()
  })

  test('nothing of numbers that are missing for good: they are not asked for for ever', async () => {
    const server = await serve(open(place(0, 5) + frames(1, 2) + frame(4)), open(place(2, 5) + frame(4)))
    await expect(numbersOf(follow(server.url).stream)).rejects.toMatchObject({ code: 'stream_lost', position: 2 })
    expect(server.requests).toHaveLength(6)
  })
})
