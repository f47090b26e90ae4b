// What came of a test message.
import { CircleCheck, CircleX, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { LongText } from '@/conversation/ValueDetail'
import { IconButton } from '@/ui/Button'
import styles from './TestResult.module.css'
import { useOutcome } from './useOutcome'
import type { Delivery } from './webhook'

export function TestResult({ delivery, onClose }: { delivery: Delivery; onClose(): void }) {
  const { t } = useTranslation(['webhooks', 'app'])
  const outcome = useOutcome()
  const isThere = delivery.status === 'delivered'
  const Icon = isThere ? CircleCheck : CircleX
  return (
    <div className={`${styles.result} ${isThere ? styles.good : styles.bad}`} data-testid="test-result">
      <Icon aria-hidden="true" />
      <div className={styles.words} role="status">
        <strong>{t(isThere ? 'test.arrived' : 'test.failed')}</strong> <span>{outcome(delivery)}</span>
      </div>
      <IconButton label={t('app:close')} icon={<X />} size="s" onClick={onClose} />
      {delivery.response && (
        <div className={styles.response}>
          <LongText text={delivery.response} label={t('delivery.response')} />
        </div>
      )}
    </div>
  )
}
