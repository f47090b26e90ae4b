// The parser of server-sent events: what it finds does not depend on how the bytes were cut.
import { describe, expect, test } from 'vitest'
import { type Frame, SseParser } from '../src/index.js'
import { between, oneOf, seeded } from './random.js'

const bytes = (text: string) => new TextEncoder().encode(text)

function parse(...chunks: (string | Uint8Array)[]): Frame[] {
  const parser = new SseParser()
  return chunks.flatMap((chunk) => parser.feed(typeof chunk === 'string' ? bytes(chunk) : chunk))
}

/** Frames that say something in every way that is allowed, and the bytes for them. */
function script(random: () => number): { frames: Frame[]; text: string; retryMs: number | undefined } {
  const frames: Frame[] = []
  let text = oneOf(random, ['', '\uFEFF'])
  let retryMs: number | undefined
  const end = () => oneOf(random, ['\n', '\r\n', '\r'])
  const space = () => oneOf(random, ['', ' '])
  const words = ['word', 'ß', '€', '𝄞', '👩‍👩‍👧', 'a:b', '\u2028', '\u0085', ' ', '"', '\\n', '\u0000x', '\uFEFF', '{}']
  const line = () => Array.from({ length: between(random, 0, 6) }, () => oneOf(random, words)).join('')
  for (let count = between(random, 0, 8); count > 0; count -= 1) {
    if (random() < 0.3) text += `:${line()}${end()}`
    if (random() < 0.2) {
      retryMs = between(random, 0, 9999)
      text += `retry:${space()}${retryMs}${end()}`
    }
    if (random() < 0.1) text += `retry: soon${end()}future: field${end()}`
    const event = oneOf(random, ['message', 'message', 'stream', 'ünlike'])
    if (event !== 'message' || random() < 0.3) text += `event:${space()}${event}${end()}`
    const id = oneOf(random, [undefined, '', String(between(random, 1, 1e9))])
    if (id !== undefined) text += `id:${space()}${id}${end()}`
    const lines = Array.from({ length: between(random, 0, 3) }, line)
    for (const data of lines) {
      // The one space behind the colon is not part of the data.
      text += data === '' && random() < 0.5 ? `data${end()}` : `data: ${data}${end()}`
    }
    // An LF right behind a CR would belong to it.
    text += text.endsWith('\r') ? oneOf(random, ['\r', '\r\n']) : end()
    if (lines.length > 0) frames.push({ event, id, data: lines.join('\n') })
  }
  return { frames, text, retryMs }
}

/** The bytes cut anywhere, also within a character, and into nothing at all. */
function cut(random: () => number, whole: Uint8Array): Uint8Array[] {
  const chunks: Uint8Array[] = []
  const most = oneOf(random, [1, 3, 20, 1000])
  for (let begin = 0; begin < whole.length; ) {
    const end = begin + between(random, 0, most)
    chunks.push(whole.subarray(begin, end))
    begin = end
  }
  return chunks
}

describe('a parser of server-sent events', () => {
  test('finds the same frames however the bytes are cut', () => {
    for (let seed = 1; seed <= 1500; seed += 1) {
      const random = seeded(seed)
      const { frames, text, retryMs } = script(random)
      const parser = new SseParser()
      const found = cut(random, bytes(text)).flatMap((chunk) => parser.feed(chunk))
      expect(found, `seed ${seed}: ${JSON.stringify(text)}`).toEqual(frames)
      expect(parser.retryMs, `seed ${seed}`).toBe(retryMs)
    }
  })

  test('takes a CR LF that is cut in two for one line end', () => {
    expect(parse('data: a\r', '\ndata: b\r', '\n\r', '\n')).toEqual([{ event: 'message', id: undefined, data: 'a\nb' }])
  })

  test('answers a frame as soon as its empty line is there, also if only a CR of it is', () => {
    expect(parse('id: 7\rdata: a\r\r')).toEqual([{ event: 'message', id: '7', data: 'a' }])
  })

  test('passes over comments and heartbeats', () => {
    expect(parse(': heartbeat\n\n', 'data: a\n', ': heartbeat\n\n')).toEqual([
      { event: 'message', id: undefined, data: 'a' },
    ])
  })

  test('never takes an id from one frame to the next', () => {
    const ids = parse('id: 7\ndata: a\n\ndata: b\n\nid: 8\n\ndata: c\n\n').map((frame) => frame.id)
    expect(ids).toEqual(['7', undefined, undefined])
  })

  test('does not take an unfinished frame for one', () => {
    expect(parse('data: a\n\ndata: b\n')).toHaveLength(1)
  })

  test('puts bad UTF-8 as a replacement character and goes on', () => {
    const found = parse(bytes('data: a'), new Uint8Array([0xff, 0xc3]), bytes('b\n\ndata: c\n\n'))
    expect(found.map((frame) => frame.data)).toEqual(['a\uFFFD\uFFFDb', 'c'])
  })

  test('reads a line of megabytes in small pieces in no more than linear time', () => {
    const piece = bytes('x'.repeat(1000))
    const parser = new SseParser()
    const began = performance.now()
    parser.feed(bytes('data: '))
    for (let count = 0; count < 20_000; count += 1) parser.feed(piece)
    const [frame] = parser.feed(bytes('\n\n'))
    expect(frame?.data).toHaveLength(20_000_000)
    expect(performance.now() - began).toBeLessThan(10_000)
  })
})
