// A session over time: a timeline to move on and to replay, and the conversation as it stood at that moment.
import { HoldfastError } from 'holdfast-client'
import { ArrowLeft, History } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { announce } from '@/app/announce'
import { useTitle } from '@/app/useTitle'
import { Conversation, type ConversationHandle } from '@/conversation/Conversation'
import { Problem } from '@/data/Problem'
import { useRecord } from '@/data/sessions'
import { useFormat } from '@/i18n/format'
import { titleOf } from '@/sessions/title'
import { Empty } from '@/ui/Empty'
import { Skeleton } from '@/ui/Skeleton'
import { momentOf } from './moment'
import { ReplayControls } from './ReplayControls'
import { Replay } from './replay'
import { Scrubber } from './Scrubber'
import styles from './TimelinePage.module.css'
import { timelineOf } from './timeline'
import { useAddress, useStart } from './useAddress'
import { useEvents } from './useEvents'
import { usePlayer } from './usePlayer'

export function TimelinePage({ id }: { id: string }) {
  const { t } = useTranslation('after')
  const { data: record, error } = useRecord(id)
  const { events, isLoading, error: failed } = useEvents(id)
  useTitle(record ? `${t('timeline.title')}: ${titleOf(record.task)}` : t('timeline.title'))

  const problem = error ?? failed
  const isMissing = problem instanceof HoldfastError && problem.status === 404
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <Link
          href={isMissing ? '/' : `/sessions/${encodeURIComponent(id)}`}
          className={styles.back}
          aria-label={t(isMissing ? 'timeline.back_home' : 'timeline.back')}
          title={t(isMissing ? 'timeline.back_home' : 'timeline.back')}
        >
          <ArrowLeft aria-hidden="true" />
        </Link>
        <div className={styles.words}>
          <h1 title={record?.task}>{record ? titleOf(record.task) : t('timeline.title')}</h1>
          {record && <p>{t('timeline.title')}</p>}
        </div>
      </header>
      {isMissing ? (
        <Empty title={t('timeline.missing')}>{t('timeline.missing_hint')}</Empty>
      ) : (
        <Problem error={problem} />
      )}
      {record && events.length > 0 && <Moving id={id} record={record} events={events} isLoading={isLoading} />}
      {!problem && (!record || (isLoading && events.length === 0)) && (
        <Skeleton label={t('timeline.loading')} lines={6} />
      )}
      {!problem && record && !isLoading && events.length === 0 && (
        <Empty icon={<History />} title={t('timeline.empty')}>
          {t('timeline.empty_hint')}
        </Empty>
      )}
    </div>
  )
}

interface MovingProps {
  id: string
  record: NonNullable<ReturnType<typeof useRecord>['data']>
  events: ReturnType<typeof useEvents>['events']
  isLoading: boolean
}

function Moving({ id, record, events, isLoading }: MovingProps) {
  const { t } = useTranslation('after')
  const format = useFormat()
  const handle = useRef<ConversationHandle>(null)
  const start = useStart()
  const [replay] = useState(() => new Replay())
  const timeline = useMemo(() => {
    replay.extend(events.slice(replay.events.length))
    return timelineOf(events, replay.whole())
  }, [replay, events])
  const player = usePlayer(timeline, start)
  const { index } = player
  const isAtEnd = index === timeline.stops.length - 1
  const conversation = replay.after(index + 1)
  // Before the end nothing is under way any more, whatever the session does now.
  const shown = useMemo(() => (isAtEnd ? record : { ...record, status: 'complete' as const }), [isAtEnd, record])
  const moment = momentOf(timeline, events, player, (key, values) => String(t(key, { ...values })), format)
  const said = t('timeline.value', { ...moment })
  useAddress(isAtEnd ? null : moment.sequence, !isLoading)

  // biome-ignore lint/correctness/useExhaustiveDependencies: each other moment is shown from its end
  useEffect(() => handle.current?.scrollToEnd(), [conversation])

  const wasPlaying = useRef(false)
  useEffect(() => {
    if (wasPlaying.current && !player.isPlaying && isAtEnd) announce(t('timeline.ended'))
    wasPlaying.current = player.isPlaying
  }, [player.isPlaying, isAtEnd, t])

  return (
    <>
      <section className={styles.time} aria-label={t('timeline.title')}>
        <Scrubber timeline={timeline} player={player} said={said} />
        <ReplayControls sessionId={id} player={player} moment={moment} isAtEnd={isAtEnd} />
      </section>
      <div className={styles.conversation}>
        <h2 className="visually-hidden">{t('timeline.conversation')}</h2>
        <Conversation ref={handle} conversation={conversation} record={shown} />
      </div>
    </>
  )
}
