// Events that came together, together: read no faster than they are asked for.
import { describe, expect, test } from 'vitest'
import { end, follow, serve } from './following.js'
import { begin, frame, frames, open, place } from './scripted_server.js'

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
