import { expect, test } from 'vitest'
import { type Entry, matching } from './palette'

const entries: Entry[] = [
  { id: '1', label: 'Fix the flaky test', more: 'shop claude', href: '/1' },
  { id: '2', label: 'Übersicht der Agenten', more: '', href: '/2' },
  { id: '3', label: 'Document the test server', more: 'shop demo', href: '/3' },
]
const found = (typed: string) => matching(entries, typed).map(({ id }) => id)

test('nothing typed shows everything in its order', () => {
  expect(found('  ')).toEqual(['1', '2', '3'])
})

test('all words must occur, in the label or beside it', () => {
  expect(found('test shop')).toEqual(['1', '3'])
  expect(found('test demo')).toEqual(['3'])
  expect(found('test nothing')).toEqual([])
})

test('an entry that begins with the word comes first', () => {
  expect(found('document')).toEqual(['3'])
  expect(found('shop')).toEqual(['1', '3'])
})

test('accents and capitals do not matter', () => {
  expect(found('UBERSICHT')).toEqual(['2'])
})
