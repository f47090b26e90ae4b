// One delivery: of what, how it stands, what came of the last attempt, when the next one is, and what is sent.
import { ChevronDown, ChevronRight, RotateCw } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { announce } from '@/app/announce'
import { Problem } from '@/data/Problem'
import { useSendAgain } from '@/data/webhooks'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/Button'
import { Chip } from '@/ui/Chip'
import styles from './DeliveryItem.module.css'
import { canBeSentAgain, PROGRESS_TONES, progressOf } from './delivery'
import { NextAttempt } from './NextAttempt'
import { Sent } from './Sent'
import { useKindName } from './useKindName'
import { useOutcome } from './useOutcome'
import type { Delivery, Webhook } from './webhook'

interface DeliveryItemProps {
  webhook: Webhook
  delivery: Delivery
  /** What its session is called, if that is known. */
  title: string | undefined
  now: number
}

export function DeliveryItem({ webhook, delivery, title, now }: DeliveryItemProps) {
  const { t } = useTranslation('webhooks')
  const format = useFormat()
  const kindName = useKindName()
  const outcome = useOutcome()
  const again = useSendAgain(webhook.id)
  const [isOpen, setOpen] = useState(false)
  const detailId = useId()
  const progress = progressOf(delivery)
  const { session_id, sequence, attempts, created_at } = delivery

  function sendAgain() {
    again.mutate(delivery.id, { onSuccess: () => announce(t('delivery.announced')) })
  }

  return (
    <li className={styles.item} data-progress={progress}>
      <div className={styles.head}>
        <strong>{kindName(delivery.type)}</strong>
        <Chip tone={PROGRESS_TONES[progress]}>{t(`progress.${progress}`)}</Chip>
        <time className={styles.when} dateTime={created_at} title={format.dateTime(created_at)}>
          {format.ago(created_at, now)}
        </time>
      </div>
      {session_id && (
        <Link
          href={`/sessions/${session_id}${sequence === undefined ? '' : `#e${sequence}`}`}
          className={styles.session}
        >
          {title ?? t('delivery.session', { id: session_id.slice(0, 8) })}
        </Link>
      )}
      <p className={styles.about}>
        <span>{t('delivery.attempts', { count: attempts })}</span>
        {attempts > 0 && <span className={styles[progress]}>{outcome(delivery)}</span>}
        <NextAttempt delivery={delivery} isActive={webhook.active} now={now} />
      </p>
      <div className={styles.actions}>
        <Button
          tone="quiet"
          size="s"
          icon={isOpen ? <ChevronDown /> : <ChevronRight />}
          aria-expanded={isOpen}
          aria-controls={isOpen ? detailId : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          {t('delivery.message')}
        </Button>
        {canBeSentAgain(delivery, webhook.active) && (
          <Button tone="quiet" size="s" icon={<RotateCw />} busy={again.isPending} onClick={sendAgain}>
            {delivery.status === 'pending' ? t('delivery.now') : t('delivery.again')}
          </Button>
        )}
      </div>
      <Problem error={again.error} />
      {isOpen && <Sent id={detailId} webhookId={webhook.id} delivery={delivery} />}
    </li>
  )
}
