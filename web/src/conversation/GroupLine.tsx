// Several finished calls in one line: how many, which, and how long they took together.
import { Layers } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ToolItem } from '@/fold/model'
import { editsOf } from '@/fold/select'
import { useFormat } from '@/i18n/format'
import { ChangeCounts } from './ChangeCounts'
import { FoldLine } from './FoldLine'
import type { RowOf } from './row'

export function GroupLine({ row: { key, tools, thoughts, isUnfolded } }: { row: RowOf<'group'> }) {
  const { t } = useTranslation('conversation')
  const format = useFormat()
  const count = tools.length
  const took = tools.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0)
  const names = countsOf(tools).map(([name, times]) => (times === 1 ? name : `${name} ×${format.number(times)}`))
  if (thoughts > 0) names.push(t('group.thoughts', { count: thoughts, number: format.number(thoughts) }))
  return (
    <FoldLine
      rowKey={key}
      isUnfolded={isUnfolded}
      icon={<Layers />}
      title={t('group.calls', { count, number: format.number(count) })}
      summary={names.join(', ')}
      aside={
        <>
          <ChangeCounts edits={tools.flatMap(editsOf)} />
          <span>{format.duration(took)}</span>
        </>
      }
    />
  )
}

/** The names, the most frequent first. */
function countsOf(tools: readonly ToolItem[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const { name } of tools) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one)
}
