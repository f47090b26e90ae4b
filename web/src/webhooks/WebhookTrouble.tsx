// What is wrong with a webhook, and what to do about it.
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { Banner } from '@/ui/Banner'
import styles from './WebhookTrouble.module.css'
import { stateOf, type Webhook } from './webhook'

export function WebhookTrouble({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks')
  const format = useFormat()
  const state = stateOf(webhook)
  const { failing_since, disabled } = webhook
  if (state !== 'failing' && state !== 'disabled') return null
  return (
    <div className={styles.trouble}>
      <Banner tone={state === 'failing' ? 'warn' : 'bad'}>
        {state === 'failing' && failing_since ? (
          <p>{t('trouble.failing', { time: format.dateTime(failing_since) })}</p>
        ) : (
          <>
            <p>
              {t('trouble.disabled')} <span lang="en">{disabled}.</span>
            </p>
            <p>{t('trouble.disabled_hint')}</p>
          </>
        )}
      </Banner>
    </div>
  )
}
