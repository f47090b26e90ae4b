// All shortcuts in a list, and the switch for single letters.
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '@/ui/Dialog'
import { Kbd } from '@/ui/Kbd'
import styles from './ShortcutHelp.module.css'
import { areLettersOn, keycaps, SHORTCUTS, setLetters } from './shortcuts'

export function ShortcutHelp({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('app')
  const [lettersOn, setLettersOn] = useState(areLettersOn)
  return (
    <Dialog title={t('shortcuts.title')} onClose={onClose}>
      <dl className={styles.list}>
        {SHORTCUTS.map(({ id, key }) => (
          <div key={id}>
            <dt>{t(`shortcuts.${id}`)}</dt>
            <dd>
              {keycaps(key).map((cap) => (
                <Kbd key={cap}>{cap}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <label className={styles.letters}>
        <input
          type="checkbox"
          checked={lettersOn}
          onChange={(event) => {
            setLetters(event.target.checked)
            setLettersOn(event.target.checked)
          }}
        />
        {t('shortcuts.letters')}
      </label>
    </Dialog>
  )
}
