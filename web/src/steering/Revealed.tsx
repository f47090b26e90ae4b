// A text of the agent in which nothing hides: characters that would not be seen, or that turn the line around, are marked.
import { useTranslation } from 'react-i18next'
import { revealed } from './hidden'
import styles from './Revealed.module.css'

export function Revealed({ text }: { text: string }) {
  const { t } = useTranslation('steering')
  return revealed(text).map((part, place) =>
    part.isHidden ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name than their place
      <mark key={place} className={styles.hidden} title={t('hidden')}>
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  )
}
