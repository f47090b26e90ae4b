// A webhook in a few facts: state, address, events, project, secret.
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useFormat } from '@/i18n/format'
import { projectPath } from '@/project/address'
import { CopyButton } from '@/ui/CopyButton'
import { EventNames } from './EventNames'
import { StateChip } from './StateChip'
import styles from './WebhookFacts.module.css'
import type { Webhook } from './webhook'

export function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks')
  const format = useFormat()
  const { url, project_id, secret_hint, old_secret_until, created_at } = webhook
  const isOldOneGood = old_secret_until !== undefined && Date.parse(old_secret_until) > Date.now()
  return (
    <dl className={styles.facts}>
      <Fact name={t('fact.state')}>
        <StateChip webhook={webhook} />
      </Fact>
      <Fact name={t('fact.url')}>
        <span className={styles.line}>
          <code>{url}</code> <CopyButton text={url} label={t('fact.copy_url')} />
        </span>
      </Fact>
      <Fact name={t('events.label')}>
        <EventNames events={webhook.events} />
      </Fact>
      <Fact name={t('fact.project')}>
        {project_id === undefined ? (
          t('project.all')
        ) : (
          <>
            {t('fact.only')} <Link href={projectPath(project_id)}>{project_id}</Link>
          </>
        )}
      </Fact>
      <Fact name={t('fact.secret')}>
        <code>{secret_hint}</code>
        {isOldOneGood && (
          <span className={styles.more}>{t('fact.old_secret', { time: format.dateTime(old_secret_until) })}</span>
        )}
      </Fact>
      <Fact name={t('fact.created')}>
        <time dateTime={created_at}>{format.dateTime(created_at)}</time>
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
