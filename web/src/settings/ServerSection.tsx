// What the server says of itself: version, store, since when it runs, and how many sessions it has.
import type { SessionStatus } from 'holdfast-client'
import { useTranslation } from 'react-i18next'
import { Problem } from '@/data/Problem'
import { useHealth } from '@/data/server'
import { useFormat } from '@/i18n/format'
import { isPulsing, toneOf } from '@/sessions/status'
import { Dot } from '@/ui/Chip'
import { Skeleton } from '@/ui/Skeleton'
import { Section } from './Section'
import styles from './Section.module.css'

const STORES: Readonly<Record<string, string>> = { sqlite: 'SQLite', postgresql: 'PostgreSQL', postgres: 'PostgreSQL' }

export function ServerSection() {
  const { t } = useTranslation(['settings', 'sessions'])
  const format = useFormat()
  const health = useHealth()
  if (!health.data) {
    return (
      <Section title={t('server.title')}>
        {health.error ? <Problem error={health.error} /> : <Skeleton label={t('server.loading')} />}
      </Section>
    )
  }
  const { version, store, uptime_s, sessions = {} } = health.data
  const counts = Object.entries(sessions).filter(([, count]) => count > 0) as [SessionStatus, number][]
  return (
    <Section title={t('server.title')}>
      <dl className={styles.facts}>
        <dt>{t('server.version')}</dt>
        <dd>{version}</dd>
        {store && <dt>{t('server.store')}</dt>}
        {store && <dd>{STORES[store] ?? store}</dd>}
        {uptime_s !== undefined && <dt>{t('server.uptime')}</dt>}
        {uptime_s !== undefined && <dd>{format.duration(uptime_s * 1000)}</dd>}
        <dt>{t('server.sessions')}</dt>
        <dd>
          {counts.length === 0 && t('server.none')}
          <ul className={styles.counts}>
            {counts.map(([status, count]) => (
              <li key={status}>
                <Dot tone={toneOf(status)} pulsing={isPulsing(status)} /> {format.number(count)}{' '}
                {t(`sessions:status.${status}`)}
              </li>
            ))}
          </ul>
        </dd>
      </dl>
    </Section>
  )
}
