// The blocks of a growing text: equal to those of the whole text, cheap, and the same objects as before.
import { Lexer } from 'marked'
import { expect, test } from 'vitest'
import { type Blocks, blocks } from './blocks'
import { documents, longDocument, nastyLines } from './testing/documents'

const bare = (result: Blocks) => result.list.map(({ key, raw, token, part }) => ({ key, raw, token, part }))

function inPieces(text: string, sizes: () => number, check?: (result: Blocks, text: string) => void): Blocks {
  let result: Blocks | null = null
  for (let at = 0; at < text.length; ) {
    at = Math.min(text.length, at + sizes())
    result = blocks(result, text.slice(0, at), true)
    check?.(result, text.slice(0, at))
  }
  return blocks(result, text, false)
}

/** A random number generator that gives the same numbers each time. */
function chance(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

test.each(Object.entries(documents))('%s: letter by letter gives the blocks of the whole', (_, text) => {
  const result = inPieces(
    text,
    () => 1,
    (growing, part) => {
      expect(bare(growing)).toEqual(bare(blocks(null, part, true)))
    },
  )
  expect(bare(result)).toEqual(bare(blocks(null, text, false)))
})

// In these two we differ from marked on purpose.
const asMarked = Object.entries(documents).filter(([name]) => !/title|footnotes/.test(name))

test.each(asMarked)('%s: has the tokens that marked finds in one go', (_, text) => {
  const expected = new Lexer({ gfm: true }).lex(text).filter(({ type }) => type !== 'space' && type !== 'def')
  const found = blocks(null, text, false).list.map(({ token }) => token)
  expect(found.map(({ type, raw }) => [type, raw.trimEnd()])).toEqual(
    expected.map(({ type, raw }) => [type, raw.trimEnd()]),
  )
  expect(found.map((token) => ('tokens' in token ? token.tokens : null))).toEqual(
    expected.map((token) => ('tokens' in token ? (token.tokens ?? null) : null)),
  )
})

test('texts of random nasty lines, in random pieces, give the blocks of the whole', () => {
  for (let seed = 1; seed <= 150; seed++) {
    const next = chance(seed)
    let text = ''
    for (let line = 0; line < 12; line++) text += nastyLines[next(nastyLines.length)]
    const result = inPieces(
      text,
      () => 1 + next(7),
      (growing, part) => {
        expect(bare(growing), JSON.stringify(part)).toEqual(bare(blocks(null, part, true)))
      },
    )
    expect(bare(result), JSON.stringify(text)).toEqual(bare(blocks(null, text, false)))
    const raw = new Lexer({ gfm: true })
      .lex(text)
      .map((token) => token.raw)
      .join('')
    expect(raw.trimEnd()).toBe(text.trimEnd())
  }
}, 30_000)

// Measured as time of the processor: the machine may be busy with other things. A report is what agents write, and it
// comes in 4,000 pieces; the others are the worst that can happen to the lexer.
test.each(Object.entries(longDocument))(
  '%s: 200 kB in pieces cost little, and finished blocks keep their identity',
  (name, text) => {
    const pieces = name === 'a report' ? 4_000 : 800
    const size = Math.ceil(text.length / pieces)
    let before: Blocks | null = null
    let changes = 0
    const begin = process.cpuUsage()
    const result = inPieces(
      text,
      () => size,
      (growing) => {
        const same = before?.list.filter((block, index) => growing.list[index] === block).length ?? 0
        changes += growing.list.length - same
        before = growing
      },
    )
    const seconds = process.cpuUsage(begin).user / 1e6
    // Measured: 0.03 to 1.2. A lexer that starts again with each piece would read 400 MB of the report.
    expect(seconds).toBeLessThan(5)
    expect(changes / pieces).toBeLessThan(3)
    expect(bare(result)).toEqual(bare(blocks(null, text, false)))
    expect(Math.max(...result.list.map(({ raw }) => raw.length))).toBeLessThan(10_000)
  },
  30_000,
)

test('nothing of a text that was cut is lost', () => {
  for (const text of Object.values(longDocument)) {
    const all = blocks(null, text, false)
      .list.map(({ raw }) => raw)
      .join('')
    const bareText = text.replace(/^\[.*\]: .*$/gm, '')
    expect(all.replace(/\s/g, '')).toBe(bareText.replace(/\s/g, ''))
  }
})

test('a final text that differs from its pieces keeps the blocks that are the same', () => {
  const growing = blocks(null, 'one\n\ntwo\n\nthree', true)
  const final = blocks(growing, 'one\n\ntwo\n\nfour', false)
  expect(final.list[0]).toBe(growing.list[0])
  expect(final.list[1]).toBe(growing.list[1])
  expect(final.list[2]?.raw).toBe('four')
})

test('a definition that comes late turns its references into links, and touches no other block', () => {
  const before = blocks(null, 'See [here].\n\nPlain.\n\nMore.\n\nEnd.\n\n', true)
  const after = blocks(before, `${before.text}[here]: https://example.org\n`, true)
  expect(JSON.stringify(after.list[0]?.token)).toContain('"href":"https://example.org"')
  expect(after.list.slice(1)).toEqual(before.list.slice(1))
  expect(after.list.slice(1).every((block, index) => block === before.list[index + 1])).toBe(true)
})
