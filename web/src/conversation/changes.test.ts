// Edits as lines.
import { expect, test } from 'vitest'
import { countChanges, diffOf } from './changes'
import { firstLine, lastLine, shortened } from './lines'

test('a change has its lines with their numbers before and after', () => {
  const { lines, added, removed } = diffOf({ path: 'a', before: 'one\ntwo\nthree\n', after: 'one\n2\nthree\nfour\n' })
  expect(lines.map(({ kind, before, after, text }) => [kind, before, after, text])).toEqual([
    ['same', 1, 1, 'one'],
    ['removed', 2, null, 'two'],
    ['added', null, 2, '2'],
    ['same', 3, 3, 'three'],
    ['added', null, 4, 'four'],
  ])
  expect([added, removed]).toEqual([2, 1])
})

test('a new file is all added, a deleted one all removed', () => {
  expect(diffOf({ path: 'a', before: null, after: 'x\ny\n' }).added).toBe(2)
  expect(diffOf({ path: 'a', before: 'x\ny', after: null }).removed).toBe(2)
  expect(countChanges([{ path: 'a', before: '', after: 'x' }])).toEqual({ added: 1, removed: 0 })
})

test('a diff is made once for each edit', () => {
  const edit = { path: 'a', before: 'x', after: 'y' }
  expect(diffOf(edit)).toBe(diffOf(edit))
})

test('parts that are far from each other have a gap between them', () => {
  const lines = Array.from({ length: 40 }, (_, line) => `line ${line}`)
  const after = lines.with(2, 'changed').with(30, 'changed')
  const diff = diffOf({ path: 'a', before: lines.join('\n'), after: after.join('\n') })
  expect(diff.lines.filter(({ kind }) => kind === 'gap')).toHaveLength(1)
})

test('of many lines the first and the last are shown, of a few all', () => {
  const lines = Array.from({ length: 100 }, (_, line) => String(line))
  expect(shortened(lines, 10, 14)).toMatchObject({ leftOut: 76 })
  expect(shortened(lines.slice(0, 26), 10, 14)).toMatchObject({ leftOut: 0, tail: [] })
})

test('a line says what a text is about', () => {
  expect(firstLine('\n\n## The **plan**\nmore')).toBe('The plan')
  expect(lastLine('one\ntwo  \n\n')).toBe('two')
  expect(firstLine('')).toBe('')
})
