// Between two runs, or two days.
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import styles from './Divider.module.css'
import type { RowOf } from './row'

export function Divider({ row: { run, at } }: { row: RowOf<'divider'> }) {
  const { t } = useTranslation('conversation')
  const format = useFormat()
  return (
    <div className={styles.divider}>
      <span>
        {run && <strong>{t('run', { number: run.number })}</strong>}
        <time dateTime={at}>{format.dateTime(at)}</time>
      </span>
    </div>
  )
}
