// A short text of the agent, whole. A long one stands here for a moment only, before its blocks are known.
import { Markdown } from '@/markdown/Markdown'
import type { RowOf } from './row'

const LONG = 8_000

export function TextView({ row: { item } }: { row: RowOf<'text'> }) {
  return item.text.length > LONG ? null : <Markdown text={item.text} />
}
