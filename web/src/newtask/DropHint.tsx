// Lies over the page while files hang above it.
import { FileDown } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import styles from './DropHint.module.css'

export function DropHint() {
  const { t } = useTranslation('newtask')
  return (
    <div className={styles.hint} aria-hidden="true">
      <FileDown />
      {t('drop')}
    </div>
  )
}
