// One webhook in the list: what it is called, how it stands, where it leads and what it is told.
import { ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useFormat } from '@/i18n/format'
import { EventNames } from './EventNames'
import { StateChip } from './StateChip'
import styles from './WebhookCard.module.css'
import { nameOf, stateOf, type Webhook, webhookPath } from './webhook'

export function WebhookCard({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks')
  const format = useFormat()
  const { id, url, project_id, failing_since, disabled } = webhook
  const name = nameOf(webhook)
  const state = stateOf(webhook)
  return (
    <article className={styles.card}>
      <div className={styles.head}>
        <h2>
          {/* All of the card can be clicked, but this is what it is called. */}
          <Link href={webhookPath(id)}>{name}</Link>
        </h2>
        <StateChip webhook={webhook} />
      </div>
      <code className={styles.url} title={url}>
        {url}
      </code>
      {state === 'failing' && failing_since && (
        <p className={styles.warn}>{t('failing_since', { time: format.dateTime(failing_since) })}</p>
      )}
      {state === 'disabled' && (
        <p className={styles.bad} lang="en">
          {disabled}
        </p>
      )}
      <div className={styles.about}>
        <EventNames events={webhook.events} />
        <span>{project_id === undefined ? t('project.all') : t('project.only', { project: project_id })}</span>
      </div>
      <ChevronRight className={styles.go} aria-hidden="true" />
    </article>
  )
}
