// The edits of one file in the order in which they were made, each with a way to where that was.
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { EditDetail } from '@/conversation/EditDetail'
import { useFormat } from '@/i18n/format'
import type { Change } from './edits'
import styles from './FileChanges.module.css'

interface Props {
  sessionId: string
  /** Below the workspace, which is shorter than what the agent wrote. */
  path: string
  changes: readonly Change[]
  /** Somebody goes to an edit in the session. */
  onLeave(): void
}

export function FileChanges({ sessionId, path, changes, onLeave }: Props) {
  const { t } = useTranslation('after')
  const format = useFormat()
  const edits = useMemo(() => changes.map(({ edit }) => ({ ...edit, path })), [changes, path])
  return (
    <ol className={styles.changes}>
      {changes.map(({ tool }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one call may make several edits, and they keep their places
        <li key={index}>
          <Link
            href={`/sessions/${encodeURIComponent(sessionId)}#e${tool.sequence}`}
            className={styles.where}
            title={t('files.at_event')}
            onClick={onLeave}
          >
            {format.time(tool.at)} · {tool.name}
          </Link>
          <EditDetail edit={edits[index]!} />
        </li>
      ))}
    </ol>
  )
}
