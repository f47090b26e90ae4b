// One webhook: how it stands, what can be done with it, and everything that it was told.
import { useTranslation } from 'react-i18next'
import { Problem } from '@/data/Problem'
import { isGone, useWebhook } from '@/data/webhooks'
import { Page } from '@/ui/Page'
import { Skeleton } from '@/ui/Skeleton'
import { DeliveryList } from './DeliveryList'
import { WebhookCommands } from './WebhookCommands'
import { WebhookFacts } from './WebhookFacts'
import { WebhookTrouble } from './WebhookTrouble'
import { nameOf } from './webhook'

export function WebhookPage({ id }: { id: string }) {
  const { t } = useTranslation(['webhooks', 'app'])
  const { data, error } = useWebhook(id)
  // One that was deleted elsewhere is not shown as if it were there.
  const webhook = isGone(error) ? undefined : data
  return (
    <Page
      title={webhook ? nameOf(webhook) : isGone(error) ? t('gone') : t('one')}
      above={{ href: '/settings/webhooks', title: t('title') }}
    >
      <Problem error={error} />
      {!webhook && !error && <Skeleton label={t('app:loading')} lines={6} />}
      {webhook && (
        <>
          <WebhookTrouble webhook={webhook} />
          <WebhookFacts webhook={webhook} />
          <WebhookCommands webhook={webhook} />
          <DeliveryList webhook={webhook} />
        </>
      )}
    </Page>
  )
}
