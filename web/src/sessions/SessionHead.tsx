// The head of a session: what it is about, how it stands, the few numbers that matter, and what can be done with it.

import { isActive, type SessionRecord } from 'holdfast-client'
import { ArrowLeft, History, PanelRight, Search } from 'lucide-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { ExportMenu } from '@/after/ExportMenu'
import { useNow } from '@/app/useNow'
import { StopReasonChip } from '@/conversation/StopReasonChip'
import { useAgentTitle } from '@/data/server'
import type { Conversation } from '@/fold/model'
import { useFormat } from '@/i18n/format'
import { folderName } from '@/newtask/choices'
import { projectPath } from '@/project/address'
import { SessionCommands } from '@/steering/SessionCommands'
import { IconButton } from '@/ui/Button'
import { Chip, Dot } from '@/ui/Chip'
import { LiveChip } from './LiveChip'
import styles from './SessionHead.module.css'
import { isPulsing, toneOf } from './status'
import { titleOf } from './title'

interface Props {
  record: SessionRecord
  conversation: Conversation
  isPanelOpen: boolean
  onTogglePanel(): void
  onFind(): void
}

export const SessionHead = memo(function SessionHead({
  record,
  conversation,
  isPanelOpen,
  onTogglePanel,
  onFind,
}: Props) {
  const { t } = useTranslation('sessions')
  const { t: tApp } = useTranslation('app')
  const isRunning = isActive(record.status)
  return (
    <header className={styles.head}>
      <Link href="/" className={styles.back} aria-label={tApp('back')}>
        <ArrowLeft aria-hidden="true" />
      </Link>
      <div className={styles.words}>
        <div className={styles.line}>
          <h1 title={record.task}>{titleOf(record.task)}</h1>
          {isRunning || record.stop_reason === undefined ? (
            <Chip
              tone={toneOf(record.status)}
              icon={<Dot tone={toneOf(record.status)} pulsing={isPulsing(record.status)} />}
            >
              {t(`status.${record.status}`)}
            </Chip>
          ) : (
            <StopReasonChip reason={record.stop_reason} />
          )}
          {isRunning && (
            <span className={styles.wideOnly}>
              <LiveChip />
            </span>
          )}
        </div>
        <Numbers record={record} conversation={conversation} />
      </div>
      <div className={styles.tools}>
        <SessionCommands record={record} conversation={conversation} />
        <IconButton className={styles.wideOnly} label={t('page.find')} icon={<Search />} onClick={onFind} />
        <Link
          href={`/sessions/${record.session_id}/timeline`}
          className={`${styles.iconLink} ${styles.wideOnly}`}
          aria-label={t('page.timeline')}
          title={t('page.timeline')}
        >
          <History aria-hidden="true" />
        </Link>
        <span className={styles.wideOnly}>
          <ExportMenu id={record.session_id} title={titleOf(record.task)} />
        </span>
        <IconButton label={t('page.panel')} icon={<PanelRight />} aria-expanded={isPanelOpen} onClick={onTogglePanel} />
      </div>
    </header>
  )
})

function Numbers({ record, conversation }: { record: SessionRecord; conversation: Conversation }) {
  const { t } = useTranslation('sessions')
  const format = useFormat()
  const isRunning = isActive(record.status)
  const now = useNow(isRunning ? 1000 : null)
  const run = conversation.runs.at(-1)
  const duration = isRunning && run ? Math.max(0, now - Date.parse(run.startedAt)) : record.duration_ms
  const cost = record.total_cost_usd ?? conversation.facts.costUsd
  const title = useAgentTitle(record.agent)
  return (
    <p className={styles.numbers}>
      <span className={styles.wideOnly}>{title}</span>
      {record.project_id ? (
        <Link className={styles.wideOnly} href={projectPath(record.project_id)}>
          {record.project_id}
        </Link>
      ) : (
        <span className={styles.wideOnly} title={record.workspace}>
          {folderName(record.workspace)}
        </span>
      )}
      {duration !== undefined && (
        <span>{format.duration(isRunning ? Math.floor(duration / 1000) * 1000 : duration)}</span>
      )}
      {cost !== null && cost !== undefined && cost > 0 && <span>{format.cost(cost)}</span>}
      {record.num_turns !== undefined && record.num_turns > 0 && (
        <span>{t('page.turns', { count: record.num_turns })}</span>
      )}
      {record.model && <span className={styles.wideOnly}>{record.model}</span>}
      {record.forked_from && <Link href={`/sessions/${record.forked_from.session_id}`}>{t('page.forked_from')}</Link>}
    </p>
  )
}
