// The details beside a conversation: todos, changed files, usage, and where else one can look. On a phone, a page.

import type { SessionRecord } from 'holdfast-client'
import { History, X } from 'lucide-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { UsagePanel } from '@/after/CostPanel'
import { ExportMenu } from '@/after/ExportMenu'
import { FilesPanel } from '@/after/FilesPanel'
import { TodoPanel } from '@/after/TodoPanel'
import type { Conversation } from '@/fold/model'
import { IconButton } from '@/ui/Button'
import styles from './SessionPanel.module.css'
import { titleOf } from './title'

interface Props {
  record: SessionRecord
  conversation: Conversation
  onClose(): void
}

export const SessionPanel = memo(function SessionPanel({ record, conversation, onClose }: Props) {
  const { t } = useTranslation('sessions')
  const { t: tApp } = useTranslation('app')
  return (
    <aside className={styles.panel} aria-label={t('page.panel')}>
      <header className={styles.head}>
        <h2>{t('page.panel')}</h2>
        <IconButton label={tApp('close')} icon={<X />} size="s" onClick={onClose} />
      </header>
      <TodoPanel conversation={conversation} />
      <FilesPanel sessionId={record.session_id} conversation={conversation} />
      <UsagePanel record={record} conversation={conversation} />
      <footer className={styles.foot}>
        <Link href={`/sessions/${record.session_id}/timeline`} className={styles.link}>
          <History aria-hidden="true" />
          {t('page.timeline')}
        </Link>
        <ExportMenu id={record.session_id} title={titleOf(record.task)} />
      </footer>
    </aside>
  )
})
