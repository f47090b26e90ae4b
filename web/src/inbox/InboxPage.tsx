// All that waits for an answer, over all sessions, the oldest first.
import type { Waiting } from 'holdfast-client'
import { ArrowLeft, Inbox } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useTitle } from '@/app/useTitle'
import { Problem } from '@/data/Problem'
import { useWaiting } from '@/data/sessions'
import { Empty } from '@/ui/Empty'
import { Skeleton } from '@/ui/Skeleton'
import { bySession } from './bySession'
import styles from './InboxPage.module.css'
import { InboxSession } from './InboxSession'

export function InboxPage() {
  const { t } = useTranslation('inbox')
  const { t: tApp } = useTranslation('app')
  const { data: waiting, error } = useWaiting()
  useTitle(t('title'))
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <Link href="/" className={styles.back} aria-label={tApp('back')}>
          <ArrowLeft aria-hidden="true" />
        </Link>
        <h1>{t('title')}</h1>
        {waiting && waiting.length > 0 && <p>{t('count', { count: waiting.length })}</p>}
      </header>
      {waiting ? <Requests waiting={waiting} /> : error ? <Problem error={error} /> : <Skeleton label={t('loading')} />}
    </div>
  )
}

function Requests({ waiting }: { waiting: readonly Waiting[] }) {
  const { t } = useTranslation('inbox')
  if (waiting.length === 0) {
    return (
      <Empty icon={<Inbox />} title={t('empty')}>
        {t('empty_hint')}
      </Empty>
    )
  }
  return (
    <ul className={styles.list} aria-label={t('list')}>
      {bySession(waiting).map((requests) => (
        <InboxSession key={requests[0].session_id} requests={requests} />
      ))}
    </ul>
  )
}
