// What a delivery sends, and the beginning of what the receiver has answered.
import { useTranslation } from 'react-i18next'
import { LongText } from '@/conversation/ValueDetail'
import { Problem } from '@/data/Problem'
import { useSent } from '@/data/webhooks'
import { CopyButton } from '@/ui/CopyButton'
import { Skeleton } from '@/ui/Skeleton'
import { pretty } from './delivery'
import styles from './Sent.module.css'
import type { Delivery } from './webhook'

export function Sent({ id, webhookId, delivery }: { id: string; webhookId: string; delivery: Delivery }) {
  const { t } = useTranslation(['webhooks', 'app'])
  const { data: body, error } = useSent(webhookId, delivery.id)
  return (
    <div id={id} className={styles.sent}>
      <Problem error={error} />
      {body === undefined && !error && <Skeleton label={t('app:loading')} />}
      {body !== undefined && (
        <section>
          <div className={styles.head}>
            <h3>{t('delivery.sent')}</h3>
            {/* A signature is of every letter, so this is not what is shown with its lines. */}
            <CopyButton text={body} label={t('delivery.copy')} />
            <code>{delivery.id}</code>
          </div>
          <LongText text={pretty(body)} label={t('delivery.sent')} />
        </section>
      )}
      {delivery.response && (
        <section>
          <div className={styles.head}>
            <h3>{t('delivery.response')}</h3>
          </div>
          <LongText text={delivery.response} label={t('delivery.response')} />
        </section>
      )}
    </div>
  )
}
