// Which events a webhook is told, as words.
import { useTranslation } from 'react-i18next'
import { Chip } from '@/ui/Chip'
import styles from './EventNames.module.css'
import { useKindName } from './useKindName'

export function EventNames({ events }: { events: readonly string[] }) {
  const { t } = useTranslation('webhooks')
  const nameOf = useKindName()
  return (
    <ul className={styles.events} aria-label={t('events.label')}>
      {events.map((event) => (
        <li key={event}>
          <Chip>{nameOf(event)}</Chip>
        </li>
      ))}
    </ul>
  )
}
