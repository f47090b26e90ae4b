// What the person said: set apart from what the agent says, with what was attached.
import { Paperclip, RotateCw, StepForward } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { Chip } from '@/ui/Chip'
import type { RowOf } from './row'
import styles from './UserMessage.module.css'

// Who pastes a log into a task does not want to scroll past it for ever.
const LONG = 1_200

export function UserMessage({ row: { item } }: { row: RowOf<'user'> }) {
  const { t } = useTranslation('conversation')
  const format = useFormat()
  const [isWhole, setWhole] = useState(false)
  const isLong = item.text.length > LONG
  return (
    <div className={styles.message}>
      <p className={styles.about}>
        <span className={styles.who}>{t('user.you')}</span>
        <time dateTime={item.at} title={format.dateTime(item.at)}>
          {format.time(item.at)}
        </time>
        {item.resume === 'continue' && <Chip icon={<StepForward aria-hidden="true" />}>{t('user.continued')}</Chip>}
        {item.resume === 'rerun' && <Chip icon={<RotateCw aria-hidden="true" />}>{t('user.rerun')}</Chip>}
      </p>
      <div className={styles.bubble}>
        {/* As it was typed: a person's words are no markdown. */}
        <p className={styles.text} data-cut={isLong && !isWhole}>
          {isLong && !isWhole ? `${item.text.slice(0, LONG).trimEnd()}…` : item.text}
        </p>
        {isLong && (
          <button type="button" className={styles.more} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? t('show_less') : t('user.show_all')}
          </button>
        )}
        {item.attachments.length > 0 && (
          <ul className={styles.files} aria-label={t('user.attachments')}>
            {item.attachments.map(({ name, size }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name
              <li key={index}>
                <Chip icon={<Paperclip aria-hidden="true" />}>
                  {name} <span className={styles.size}>{format.bytes(size)}</span>
                </Chip>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
