// The code of a block that was cut into several rows.
import type { Row } from './row'

export function wholeCode(rows: readonly Row[], firstKey: string): string {
  const codes: string[] = []
  const first = rows.findIndex(({ key }) => key === firstKey)
  for (const row of first < 0 ? [] : rows.slice(first)) {
    if (row.kind !== 'block' || row.block.token.type !== 'code') break
    const { part } = row.block
    if (codes.length > 0 && part !== 'middle' && part !== 'last') break
    codes.push(row.block.token.text)
    if (part === 'last') break
  }
  return codes.join('\n')
}
