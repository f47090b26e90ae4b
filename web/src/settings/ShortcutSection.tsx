// The way to the list of keyboard shortcuts.
import { Keyboard } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { tellShortcut } from '@/app/shortcuts'
import { Button } from '@/ui/Button'
import { Kbd } from '@/ui/Kbd'
import { Section } from './Section'
import styles from './Section.module.css'

export function ShortcutSection() {
  const { t } = useTranslation('settings')
  return (
    <Section title={t('keys.title')}>
      <div className={styles.row}>
        <Button icon={<Keyboard />} onClick={() => tellShortcut('help')}>
          {t('keys.show')}
        </Button>
        <span className={styles.hint}>
          {t('keys.hint')} <Kbd>?</Kbd>
        </span>
      </div>
    </Section>
  )
}
