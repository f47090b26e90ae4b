// A call that has started a subagent: what it was told, how much it did; its own rows follow below.
import { useTranslation } from 'react-i18next'
import { summaryOf } from '@/fold/select'
import { useFormat } from '@/i18n/format'
import { FoldLine } from './FoldLine'
import type { RowOf } from './row'
import { ToolIcon } from './ToolIcon'
import { ToolStateMark } from './ToolState'

export function SubagentLine({ row: { key, item, isUnfolded } }: { row: RowOf<'subagent'> }) {
  const { t } = useTranslation('conversation')
  const format = useFormat()
  const count = item.children.length
  return (
    <FoldLine
      rowKey={key}
      isUnfolded={isUnfolded}
      icon={<ToolIcon call={item} />}
      title={item.name}
      tone={item.state === 'failed' || item.state === 'refused' ? 'bad' : 'quiet'}
      summary={summaryOf(item)}
      aside={
        <>
          <span>{t('subagent.steps', { count, number: format.number(count) })}</span>
          <ToolStateMark tool={item} />
        </>
      }
    />
  )
}
