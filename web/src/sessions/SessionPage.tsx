// One session: its head, the conversation, what it asks, the box to write to it, and the details beside.
import { useCallback, useDeferredValue, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FindBar } from '@/after/FindBar'
import { useTitle } from '@/app/useTitle'
import { Conversation, type ConversationHandle } from '@/conversation/Conversation'
import { Problem } from '@/data/Problem'
import { useRecord } from '@/data/sessions'
import { EMPTY } from '@/fold/fold'
import { useSessionLog } from '@/live/hooks'
import { Composer } from '@/steering/Composer'
import { Dock } from '@/steering/Dock'
import { Page } from '@/ui/Page'
import { Skeleton } from '@/ui/Skeleton'
import { SessionHead } from './SessionHead'
import { SessionNotes } from './SessionNotes'
import styles from './SessionPage.module.css'
import { SessionPanel } from './SessionPanel'
import { titleOf } from './title'
import { useAnnouncements } from './useAnnouncements'
import { usePageKeys } from './usePageKeys'
import { usePanel } from './usePanel'
import { usePlace } from './usePlace'
import { useStill } from './useStill'

export function SessionPage({ id }: { id: string }) {
  const { t } = useTranslation('sessions')
  const { data: record, error } = useRecord(id)
  const log = useSessionLog(id)
  const conversation = log?.conversation ?? EMPTY
  const still = useStill(conversation)
  const later = useDeferredValue(conversation)
  const handle = useRef<ConversationHandle>(null)
  const panel = usePanel()
  const [isFinding, setFinding] = useState(false)
  const [query, setQuery] = useState('')
  const place = usePlace(id)
  const find = useCallback(() => setFinding(true), [])
  useTitle(record ? titleOf(record.task) : '')
  useAnnouncements(conversation, log?.state === 'ready')
  usePageKeys({ onFind: find, onEnd: () => handle.current?.scrollToEnd() })

  if (log?.state === 'missing') return <Page title={t('page.missing')}>{t('page.missing_hint')}</Page>
  if (error && !record)
    return (
      <Page title={t('page.failed')}>
        <Problem error={error} />
      </Page>
    )
  if (!record) return <Skeleton label={t('page.loading')} lines={6} />

  return (
    <div className={styles.page} data-panel={panel.isOpen ? 'open' : 'closed'}>
      <SessionHead
        record={record}
        conversation={still}
        isPanelOpen={panel.isOpen}
        onTogglePanel={panel.toggle}
        onFind={find}
      />
      {isFinding && (
        <FindBar
          conversation={later}
          onQuery={setQuery}
          onGo={(sequence) => handle.current?.scrollToSequence(sequence)}
          onClose={() => {
            setFinding(false)
            setQuery('')
          }}
        />
      )}
      <div className={styles.middle}>
        <SessionNotes record={record} />
        {/* The level above the headings that an agent writes. */}
        <h2 className="visually-hidden">{t('page.conversation')}</h2>
        {log === null || (log.state === 'loading' && conversation.items.length === 0) ? (
          <Skeleton label={t('page.loading')} lines={6} />
        ) : (
          <Conversation
            ref={handle}
            conversation={conversation}
            record={record}
            query={query}
            initial={place.initial}
            onPlace={place.remember}
          />
        )}
        {log?.state === 'failed' && <Problem error={new Error(log.reason ?? '')} />}
      </div>
      <div className={styles.foot}>
        <Dock sessionId={id} waiting={still.waiting} />
        <Composer record={record} />
      </div>
      {panel.isOpen && <SessionPanel record={record} conversation={later} onClose={panel.toggle} />}
    </div>
  )
}
