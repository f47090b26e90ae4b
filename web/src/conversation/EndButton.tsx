// Back to the end of the conversation, with how much has come since one left it.
import { ArrowDown } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import styles from './EndButton.module.css'

export function EndButton({ count, onClick }: { count: number; onClick(): void }) {
  const { t } = useTranslation('conversation')
  const format = useFormat()
  return (
    <button type="button" className={styles.button} data-new={count > 0} onClick={onClick}>
      {count > 0 ? t('new_events', { count, number: format.number(count) }) : t('to_end')}
      <ArrowDown aria-hidden="true" />
    </button>
  )
}
