import { expect, test } from 'vitest'
import type { Row } from './row'
import { rowAt, spotOf } from './spot'

const frame = { depth: 0, gap: 'none' } as const
const block = (key: string, sequence: number, last: number) =>
  ({
    ...frame,
    kind: 'block',
    key,
    itemKey: 'e5',
    sequence,
    last,
    block: {},
    isFirst: false,
    isOpen: false,
  }) as unknown as Row
const other = { ...frame, kind: 'tool', key: 'e3', sequence: 3, last: 4 } as unknown as Row
const rows = [other, block('e5', 5, 6), block('e5:1', 5, 8), block('e5:2', 5, 20)]

test('a place in a long text is its block and the final event of the text', () => {
  expect(spotOf(rows, 'e5:1')).toEqual({ sequence: 20, block: 1 })
  expect(spotOf(rows, 'e3')).toEqual({ sequence: 4, block: 0 })
  expect(spotOf(rows, 'gone')).toBeNull()
})

test('the way back leads to the block, or to the text if it has fewer', () => {
  expect(rowAt(rows, 'e5', 2)).toBe('e5:2')
  expect(rowAt(rows, 'e5', 9)).toBe('e5')
  expect(rowAt(rows, 'e3', 0)).toBe('e3')
})
