// The deliveries of a webhook, the newest first, all of them or those that stand alike.
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Choice } from '@/after/Choice'
import { useNow } from '@/app/useNow'
import { Problem } from '@/data/Problem'
import { shownIn, useDeliveries } from '@/data/webhooks'
import { Button } from '@/ui/Button'
import { Skeleton } from '@/ui/Skeleton'
import { DeliveryItem } from './DeliveryItem'
import styles from './DeliveryList.module.css'
import { STATUSES } from './delivery'
import { useTitles } from './useTitles'
import type { Delivery, Webhook } from './webhook'

const SECOND_MS = 1_000
const CALM_MS = 30_000

export function DeliveryList({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation(['webhooks', 'app'])
  const [status, setStatus] = useState<Delivery['status'] | ''>('')
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useDeliveries(webhook, status)
  const deliveries = shownIn(data)
  // Seconds count down only where something is to come.
  const now = useNow(deliveries.some((one) => one.next_attempt_at !== undefined) ? SECOND_MS : CALM_MS)
  const titles = useTitles()
  return (
    <section className={styles.deliveries} aria-labelledby="deliveries">
      <div className={styles.head}>
        <h2 id="deliveries">{t('deliveries.title')}</h2>
        <Choice<Delivery['status'] | ''>
          label={t('deliveries.filter')}
          value={status}
          choices={[
            { value: '', word: t('deliveries.all') },
            ...STATUSES.map((value) => ({ value, word: t(`deliveries.${value}`) })),
          ]}
          onChange={setStatus}
        />
      </div>
      <Problem error={error} />
      {!data && !error && <Skeleton label={t('app:loading')} lines={4} />}
      {data && deliveries.length === 0 && (
        <p className={styles.none}>{t(status === '' ? 'deliveries.none' : 'deliveries.none_such')}</p>
      )}
      <ul className={styles.list}>
        {deliveries.map((delivery) => (
          <DeliveryItem
            key={delivery.id}
            webhook={webhook}
            delivery={delivery}
            title={delivery.session_id && titles.get(delivery.session_id)}
            now={now}
          />
        ))}
      </ul>
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('deliveries.earlier')}
        </Button>
      )}
    </section>
  )
}
