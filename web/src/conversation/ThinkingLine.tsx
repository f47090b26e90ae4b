// What the agent thought: one line, the text if somebody wants to read it.
import { Brain } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { Markdown } from '@/markdown/Markdown'
import { FoldLine } from './FoldLine'
import { firstLine } from './lines'
import type { RowOf } from './row'
import styles from './ThinkingLine.module.css'

export function ThinkingLine({ row: { key, item, isUnfolded } }: { row: RowOf<'thinking'> }) {
  const { t } = useTranslation('conversation')
  const format = useFormat()
  const isTimed = item.durationMs !== null && item.durationMs >= 1000
  const title = item.isOpen
    ? t('thinking.open')
    : isTimed
      ? t('thinking.timed', { duration: format.duration(item.durationMs ?? 0) })
      : t('thinking.done')
  return (
    <FoldLine
      rowKey={key}
      isUnfolded={isUnfolded}
      icon={<Brain className={item.isOpen ? styles.open : undefined} />}
      title={<span className={styles.title}>{title}</span>}
      summary={isUnfolded ? undefined : firstLine(item.text)}
    >
      <div className={styles.text}>
        {/* Grows with each piece, so that it is shown as it comes and as markdown once it is whole. */}
        {item.isOpen ? <p className={styles.plain}>{item.text}</p> : <Markdown text={item.text} />}
      </div>
    </FoldLine>
  )
}
