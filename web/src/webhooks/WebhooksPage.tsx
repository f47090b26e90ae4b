// All webhooks, the newest first, and the way to a new one.
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { Problem } from '@/data/Problem'
import { useWebhooks } from '@/data/webhooks'
import { Button } from '@/ui/Button'
import { Empty } from '@/ui/Empty'
import { Page } from '@/ui/Page'
import { Skeleton } from '@/ui/Skeleton'
import { AddDialog } from './AddDialog'
import { SecretDialog } from './SecretDialog'
import { WebhookCard } from './WebhookCard'
import styles from './WebhooksPage.module.css'
import { type Webhook, webhookPath } from './webhook'

export function WebhooksPage() {
  const { t } = useTranslation(['webhooks', 'app'])
  const [, navigate] = useLocation()
  const { data: webhooks, error } = useWebhooks()
  const [isAdding, setAdding] = useState(false)
  const [added, setAdded] = useState<Webhook | null>(null)
  const isEmpty = webhooks?.length === 0
  const button = (
    <Button tone="primary" icon={<Plus />} aria-haspopup="dialog" onClick={() => setAdding(true)}>
      {t('add.button')}
    </Button>
  )

  function show(made: Webhook) {
    setAdding(false)
    setAdded(made)
  }

  return (
    <Page
      title={t('title')}
      intro={isEmpty ? undefined : t('intro')}
      actions={isEmpty ? undefined : button}
      above={{ href: '/settings', title: t('app:nav.settings') }}
    >
      <Problem error={error} />
      {!webhooks && !error && <Skeleton label={t('app:loading')} lines={6} />}
      {isEmpty && (
        <Empty icon={<WebhookIcon aria-hidden="true" />} title={t('none')} action={button}>
          {t('intro')}
        </Empty>
      )}
      {webhooks && webhooks.length > 0 && (
        <ul className={styles.cards}>
          {webhooks.map((webhook) => (
            <li key={webhook.id}>
              <WebhookCard webhook={webhook} />
            </li>
          ))}
        </ul>
      )}
      {isAdding && <AddDialog onAdded={show} onClose={() => setAdding(false)} />}
      {added?.secret && (
        <SecretDialog
          title={t('add.done')}
          secret={added.secret}
          onClose={() => {
            setAdded(null)
            navigate(webhookPath(added.id))
          }}
        />
      )}
    </Page>
  )
}
