// The room between two rows: lines stand close, texts have air, tasks are far apart.
import type { Gap, Row } from './row'
import type { Bare } from './rows'

const LINES: ReadonlySet<Row['kind']> = new Set(['tool', 'subagent', 'group', 'thinking', 'asked', 'note'])

export function gapBefore(above: Row | undefined, row: Bare<Row>): Gap {
  if (!above) return 'none'
  if (row.kind === 'divider') return 'xl'
  if (row.kind === 'user') return above.kind === 'divider' ? 'm' : 'xl'
  if (above.kind === 'divider') return 'm'
  if (above.kind === 'user' || row.kind === 'end') return 'l'
  if (row.kind === 'block' && above.kind === 'block' && above.itemKey === row.itemKey) {
    if (row.block.part === 'middle' || row.block.part === 'last') return 'none'
    return row.block.token.type === 'heading' ? 'l' : 'm'
  }
  if (LINES.has(row.kind) && LINES.has(above.kind)) {
    // What is unfolded is set off from what follows.
    return 'isUnfolded' in above && above.isUnfolded && above.depth >= row.depth && above.kind !== 'group'
      ? 's'
      : 'none'
  }
  return 'm'
}
