// A key as it stands on the keyboard.
import { useTranslation } from 'react-i18next'
import styles from './Kbd.module.css'

export function Kbd({ children }: { children: string }) {
  const { t } = useTranslation('app')
  return <kbd className={styles.kbd}>{children === 'Ctrl' ? t('shortcuts.ctrl') : children}</kbd>
}
