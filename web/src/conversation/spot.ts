// Where somebody reads, in words that outlive the page: after a reload rows have other keys, events the same numbers.
import type { Row } from './row'

export interface Spot {
  /** The last event of what is read: a text that came in pieces and one from the history both end with their final. */
  sequence: number
  /** Which block of a long text. */
  block: number
  /** Somebody was there before, with the block at the upper edge; else it is a place to be shown. */
  isRemembered?: boolean
}

export function spotOf(rows: readonly Row[], key: string | null): Spot | null {
  const row = rows.find((one) => one.key === key)
  if (!row || row.sequence <= 0) return null
  if (row.kind !== 'block') return { sequence: row.last, block: 0 }
  const blocks = blocksOf(rows, row.itemKey)
  // A finished block was made before its text was: only the last one knows of the final.
  return { sequence: blocks.at(-1)?.last ?? row.last, block: blocks.indexOf(row) }
}

/** The row of a block of an item; the item's own if it has no such block. */
export function rowAt(rows: readonly Row[], itemKey: string, block: number): string {
  return blocksOf(rows, itemKey)[block]?.key ?? itemKey
}

function blocksOf(rows: readonly Row[], itemKey: string): Row[] {
  return rows.filter((row) => row.kind === 'block' && row.itemKey === itemKey)
}
