// One session in the list: what it is about, how it stands, whose it is, since when, and what it cost.
import type { SessionRecord } from 'holdfast-client'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useFormat } from '@/i18n/format'
import { Dot } from '@/ui/Chip'
import styles from './SessionItem.module.css'
import { isPulsing, toneOf } from './status'
import { titleOf } from './title'

export const SessionItem = memo(function SessionItem({
  record,
  isCurrent,
  now,
}: {
  record: SessionRecord
  isCurrent: boolean
  now: number
}) {
  const { t } = useTranslation('sessions')
  const format = useFormat()
  return (
    <li>
      <Link
        href={`/sessions/${record.session_id}`}
        className={styles.item}
        aria-current={isCurrent ? 'page' : undefined}
      >
        <Dot tone={toneOf(record.status)} pulsing={isPulsing(record.status)} />
        <span className={styles.title}>{titleOf(record.task)}</span>
        <span className={styles.about}>
          <span>{t(`status.${record.status}`)}</span>
          <span>{record.project_id ?? record.agent}</span>
          <span>{format.ago(record.updated_at, now)}</span>
          {record.total_cost_usd !== undefined && record.total_cost_usd > 0 && (
            <span>{format.cost(record.total_cost_usd)}</span>
          )}
        </span>
      </Link>
    </li>
  )
})
