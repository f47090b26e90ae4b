// One block of what the agent says.
import { MarkdownBlock } from '@/markdown/MarkdownBlock'
import { useActions } from './actions'
import type { RowOf } from './row'

export function BlockView({ row }: { row: RowOf<'block'> }) {
  const { wholeCode } = useActions()
  const isCut = row.block.part === 'first' && row.block.token.type === 'code'
  return <MarkdownBlock block={row.block} wholeCode={isCut ? () => wholeCode(row.key) : undefined} />
}
