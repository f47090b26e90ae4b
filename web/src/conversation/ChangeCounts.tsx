// How many lines a call has added and removed; nothing if it has changed none.
import { useTranslation } from 'react-i18next'
import type { Edit } from '@/fold/select'
import { useFormat } from '@/i18n/format'
import styles from './ChangeCounts.module.css'
import { countChanges } from './changes'

export function ChangeCounts({ edits }: { edits: readonly Edit[] }) {
  const { t } = useTranslation('conversation')
  const format = useFormat()
  const { added, removed } = countChanges(edits)
  return (
    <>
      {added > 0 && (
        <span className={styles.added} title={t('diff.added', { count: added })}>
          +{format.number(added)}
        </span>
      )}
      {removed > 0 && (
        <span className={styles.removed} title={t('diff.removed', { count: removed })}>
          −{format.number(removed)}
        </span>
      )}
    </>
  )
}
