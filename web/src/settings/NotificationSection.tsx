// Notifications of the browser: off until somebody switches them on here.
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/Button'
import { canNotify, setNotifying, wantsNotifications } from './notifications'
import { Section } from './Section'
import styles from './Section.module.css'

export function NotificationSection() {
  const { t } = useTranslation('settings')
  const [, setTurn] = useState(0)
  const permission = canNotify()
  const isOn = permission === 'granted' && wantsNotifications()

  async function change(on: boolean) {
    await setNotifying(on)
    setTurn((turn) => turn + 1)
  }

  return (
    <Section title={t('notify.title')}>
      <p className={styles.hint}>{t('notify.about')}</p>
      {permission === 'unsupported' ? (
        <p>{t('notify.unsupported')}</p>
      ) : permission === 'denied' ? (
        <p>{t('notify.denied')}</p>
      ) : (
        <div className={styles.row}>
          <span>{isOn ? t('notify.on') : t('notify.off')}</span>
          <Button onClick={() => void change(!isOn)}>{isOn ? t('notify.switch_off') : t('notify.switch_on')}</Button>
        </div>
      )}
    </Section>
  )
}
