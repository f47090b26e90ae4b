// The frame of every row: its place in the list, the room above it, and the link to it.
import { Hash } from 'lucide-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { announce } from '@/app/announce'
import { copyText } from '@/ui/CopyButton'
import { useActions } from './actions'
import styles from './RowFrame.module.css'
import { RowView } from './RowView'
import type { Row } from './row'

interface RowFrameProps {
  row: Row
  index: number
  measure(element: Element | null): void
  isTarget: boolean
}

export const RowFrame = memo(function RowFrame({ row, index, measure, isTarget }: RowFrameProps) {
  const hasLink = row.sequence > 0 && (row.kind !== 'block' || row.isFirst)
  return (
    <article
      ref={measure}
      id={hasLink ? `e${row.sequence}` : undefined}
      className={styles.row}
      data-row={row.kind}
      data-index={index}
      data-gap={row.gap}
      data-depth={Math.min(row.depth, 4)}
      data-target={isTarget || undefined}
      aria-posinset={index + 1}
      aria-setsize={-1}
      tabIndex={-1}
    >
      {row.depth > 0 && <span className={styles.rail} aria-hidden="true" />}
      <div className={styles.inside}>
        <RowView row={row} />
      </div>
      {hasLink && <LinkTo sequence={row.sequence} />}
    </article>
  )
})

function LinkTo({ sequence }: { sequence: number }) {
  const { t } = useTranslation('conversation')
  const { sessionId } = useActions()
  async function copy() {
    await copyText(`${window.location.origin}/sessions/${sessionId}#e${sequence}`)
    announce(t('link_copied'))
  }
  const label = t('copy_link', { sequence })
  return (
    <button type="button" className={styles.link} aria-label={label} title={label} onClick={copy}>
      <Hash aria-hidden="true" />
    </button>
  )
}
