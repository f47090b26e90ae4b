// The way to the webhooks, and whether one of them needs somebody.
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Problem } from '@/data/Problem'
import { useWebhooks } from '@/data/webhooks'
import { Chip } from '@/ui/Chip'
import { STATE_TONES, stateOf } from '@/webhooks/webhook'
import { Section } from './Section'
import styles from './Section.module.css'

export function WebhookSection() {
  const { t } = useTranslation('settings')
  const { data: webhooks, error } = useWebhooks()
  return (
    <Section title={t('webhooks.title')}>
      <p className={styles.hint}>{t('webhooks.about')}</p>
      <div className={styles.row}>
        <Link href="/settings/webhooks">{t('webhooks.open')}</Link>
        {webhooks && <span className={styles.hint}>{t('webhooks.count', { count: webhooks.length })}</span>}
        {(['failing', 'disabled'] as const).map((state) => {
          const count = webhooks?.filter((one) => stateOf(one) === state).length ?? 0
          return (
            count > 0 && (
              <Chip key={state} tone={STATE_TONES[state]}>
                {t(`webhooks.${state}`, { count })}
              </Chip>
            )
          )
        })}
      </div>
      <Problem error={error} />
    </Section>
  )
}
