// The runs of a project's session, the last one first; each leads to its place in the conversation.
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useNow } from '@/app/useNow'
import { StopReasonChip } from '@/conversation/StopReasonChip'
import type { Run } from '@/fold/model'
import { useFormat } from '@/i18n/format'
import { titleOf } from '@/sessions/title'
import { Button } from '@/ui/Button'
import { Chip, Dot } from '@/ui/Chip'
import { Skeleton } from '@/ui/Skeleton'
import styles from './RunList.module.css'
import { durationOf } from './runs'

const AT_FIRST = 10

export function RunList({
  sessionId,
  runs,
  isLoading,
}: {
  sessionId: string
  runs: readonly Run[]
  isLoading: boolean
}) {
  const { t } = useTranslation(['project', 'sessions'])
  const format = useFormat()
  const now = useNow(30_000)
  const [isWhole, setWhole] = useState(false)
  const newest = [...runs].reverse()
  const shown = isWhole ? newest : newest.slice(0, AT_FIRST)
  return (
    <section className={styles.runs} aria-labelledby="runs">
      <h2 id="runs">{t('runs')}</h2>
      {isLoading && runs.length === 0 && <Skeleton label={t('loading')} />}
      <ol className={styles.list} reversed>
        {shown.map((run) => {
          const duration = durationOf(run)
          return (
            <li key={run.number}>
              <Link href={`/sessions/${sessionId}#e${run.first}`} className={styles.run}>
                <span className={styles.number}>{run.number}</span>
                <span className={styles.task}>{titleOf(run.task)}</span>
                <span className={styles.end}>
                  {run.end?.stopReason ? (
                    <StopReasonChip reason={run.end.stopReason} />
                  ) : (
                    <Chip tone="good" icon={<Dot tone="good" pulsing />}>
                      {t('sessions:status.running')}
                    </Chip>
                  )}
                </span>
                <span className={styles.about}>
                  <time dateTime={run.startedAt} title={format.dateTime(run.startedAt)}>
                    {format.ago(run.startedAt, now)}
                  </time>
                  {duration !== null && <span>{format.duration(duration)}</span>}
                  {run.end?.turns ? <span>{t('sessions:page.turns', { count: run.end.turns })}</span> : null}
                  {run.end?.costUsd ? <span>{format.cost(run.end.costUsd)}</span> : null}
                </span>
              </Link>
            </li>
          )
        })}
      </ol>
      {shown.length < newest.length && (
        <Button onClick={() => setWhole(true)}>{t('earlier', { count: newest.length - shown.length })}</Button>
      )}
    </section>
  )
}
