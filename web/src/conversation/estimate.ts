// How high a row will be, before it was ever on the page. Only the scrollbar depends on it.
import type { Row } from './row'

const LINE = 24
const LETTERS = 76
const GAPS = { none: 0, s: 8, m: 12, l: 24, xl: 40 } as const

/** Rows never change, and the list asks for all of them again and again. */
const known = new WeakMap<Row, number>()

export function estimateOf(row: Row | undefined): number {
  if (!row) return LINE
  const before = known.get(row)
  if (before !== undefined) return before
  const height = GAPS[row.gap] + bare(row)
  known.set(row, height)
  return height
}

function bare(row: Row): number {
  switch (row.kind) {
    case 'block':
      return blockHeight(row.block.raw, row.block.token.type)
    case 'text':
      return lines(row.item.text, LETTERS) * LINE
    case 'user':
      return Math.min(12, lines(row.item.text, LETTERS)) * LINE + 2 * LINE
    case 'tool':
      return row.isUnfolded ? 320 : 30
    case 'thinking':
      return row.isUnfolded ? lines(row.item.text, LETTERS) * LINE + 30 : 30
    case 'end':
      return row.item.end.type === 'error' ? 260 : 40
    case 'todos':
      return row.todos.length * 28 + 24
    case 'output':
      return 120
    case 'divider':
      return 32
    default:
      return 30
  }
}

function blockHeight(raw: string, type: string): number {
  if (type === 'code') return lines(raw, Number.POSITIVE_INFINITY) * 20 + 20
  if (type === 'table') return lines(raw, Number.POSITIVE_INFINITY) * 36
  return lines(raw, LETTERS) * LINE
}

function lines(text: string, letters: number): number {
  let count = 0
  for (let at = 0; at <= text.length; ) {
    const end = text.indexOf('\n', at)
    const length = (end < 0 ? text.length : end) - at
    count += Math.max(1, Math.ceil(length / letters))
    if (end < 0) break
    at = end + 1
  }
  return count
}
