// What this browser keeps for itself, who else is told, who is logged in, and what the server says of itself.
import { useTranslation } from 'react-i18next'
import { Page } from '@/ui/Page'
import { AccountSection } from './AccountSection'
import { LookSection } from './LookSection'
import { NotificationSection } from './NotificationSection'
import { ServerSection } from './ServerSection'
import { ShortcutSection } from './ShortcutSection'
import { WebhookSection } from './WebhookSection'

export function SettingsPage() {
  const { t } = useTranslation('settings')
  return (
    <Page title={t('title')} intro={t('intro')}>
      <LookSection />
      <NotificationSection />
      <ShortcutSection />
      <WebhookSection />
      <AccountSection />
      <ServerSection />
    </Page>
  )
}
