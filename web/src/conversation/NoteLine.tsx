// What happened beside the conversation, in plain sentences.
import {
  Archive,
  FastForward,
  GitFork,
  Hourglass,
  Import,
  Info,
  LifeBuoy,
  RotateCw,
  ShieldX,
  Shrink,
  TextQuote,
  UserCog,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { NoteItem } from '@/fold/model'
import { asObject, asText } from '@/fold/values'
import { useFormat } from '@/i18n/format'
import { FoldLine } from './FoldLine'
import { Line } from './Line'
import { firstLine } from './lines'
import styles from './NoteLine.module.css'
import type { RowOf } from './row'

export function NoteLine({ row: { key, item, isUnfolded } }: { row: RowOf<'note'> }) {
  const { t } = useTranslation('conversation')
  const { event } = item
  if (event.type === 'agent_unparsed') {
    return (
      <FoldLine
        rowKey={key}
        isUnfolded={isUnfolded}
        icon={<TextQuote />}
        title={<span className={styles.plain}>{t('note.unparsed')}</span>}
        summary={isUnfolded ? undefined : firstLine(event.data.text)}
      >
        <pre className={styles.unparsed}>{event.data.text}</pre>
      </FoldLine>
    )
  }
  return <Sentence item={item} />
}

function Sentence({ item: { event, count } }: { item: NoteItem }): ReactNode {
  const { t } = useTranslation('conversation')
  const format = useFormat()
  switch (event.type) {
    case 'agent_retry': {
      const { attempt, status, delay_ms: delay, message } = event.data
      const about = { attempt: format.number(attempt), status, delay: format.duration(delay) }
      return (
        <Line icon={<RotateCw />} tone="warn">
          {status ? t('note.retry_status', about) : t('note.retry', about)}
          {message && message !== 'unknown' && ` ${message}`}
        </Line>
      )
    }
    case 'rate_limit': {
      const { status, resets_at: resets, utilization } = event.data
      const isReached = status !== 'allowed_warning'
      return (
        <Line icon={<Hourglass />} tone="warn">
          {isReached ? t('note.rate_limit') : t('note.rate_limit_near')}
          {utilization !== undefined &&
            !isReached &&
            ` ${t('note.rate_used', { percent: Math.round(utilization * 100) })}`}
          {resets && ` ${t('note.rate_resets', { time: format.dateTime(resets) })}`}
          {count > 1 && ` ${t('note.times', { count, number: format.number(count) })}`}
        </Line>
      )
    }
    case 'stalled': {
      const { waiting_on: on, idle_ms: idle, tool_name: name, detail } = event.data
      return (
        <Line icon={<Hourglass />} tone="warn">
          {t(`note.stalled_${on}`, { duration: format.duration(idle), name: name ?? '' })}
          {detail && (
            <>
              {' '}
              <code>{detail}</code>
            </>
          )}
        </Line>
      )
    }
    case 'compacted': {
      const { tokens_before: tokens } = event.data
      return (
        <Line icon={<Shrink />}>
          {tokens ? t('note.compacted_from', { tokens: format.compact(tokens) }) : t('note.compacted')}
        </Line>
      )
    }
    case 'recovered':
      return <Line icon={<LifeBuoy />}>{t('note.recovered')}</Line>
    case 'forked':
      return (
        <Line icon={<GitFork />}>
          {t('note.forked')}{' '}
          <Link href={`/sessions/${event.data.from_session_id}`}>
            {t('note.forked_from', { run: event.data.from_run })}
          </Link>
        </Line>
      )
    case 'discarded':
      return <Line icon={<Archive />}>{t('note.discarded')}</Line>
    case 'imported':
      return (
        <Line icon={<Import />}>
          {t('note.imported', { by: event.data.by, when: format.dateTime(event.timestamp) })}
        </Line>
      )
    case 'profile_switch':
      return <Line icon={<UserCog />}>{t('note.profile', { name: event.data.profile_name })}</Line>
    case 'hook_triggered':
      return (
        <Line icon={<ShieldX />} tone="bad">
          {t('note.refused', { name: event.data.tool_name })} {event.data.message}
        </Line>
      )
    case 'agent_update': {
      const update = asObject(event.data.update)
      const words = asText(update.text) ?? asText(update.message) ?? asText(update.content) ?? asText(update.summary)
      return (
        <Line icon={words ? <Info /> : <FastForward />}>{words ?? t('note.update', { kind: event.data.kind })}</Line>
      )
    }
    case 'agent_unparsed':
      return null
  }
}
