// One file of a session: the edits that were made to it, and what is in it now.
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useServices } from '@/app/Services'
import { useFormat } from '@/i18n/format'
import { Dialog } from '@/ui/Dialog'
import { Choice } from './Choice'
import { FileChanges } from './FileChanges'
import styles from './FileDialog.module.css'
import { FilePreview } from './FilePreview'
import type { ShownFile } from './files'

export function FileDialog({ sessionId, file, onClose }: { sessionId: string; file: ShownFile; onClose(): void }) {
  const { t } = useTranslation('after')
  const { client } = useServices()
  const format = useFormat()
  const changes = file.edits?.changes ?? []
  const [view, setView] = useState<'changes' | 'content'>(changes.length > 0 ? 'changes' : 'content')
  return (
    <Dialog title={file.name} size="l" onClose={onClose}>
      <p className={styles.about}>
        {file.folder !== '' && <code>{file.path}</code>}
        {file.onDisk && (
          <span>
            {format.bytes(file.onDisk.size)} · {format.dateTime(file.onDisk.modified_at)}
          </span>
        )}
      </p>
      <div className={styles.bar}>
        {changes.length > 0 && (
          <Choice
            label={t('files.view')}
            value={view}
            choices={[
              { value: 'changes', word: t('files.changes', { total: format.number(changes.length) }) },
              { value: 'content', word: t('files.content') },
            ]}
            onChange={setView}
          />
        )}
        {file.onDisk && (
          <a className={styles.download} href={client.session(sessionId).fileUrl(file.path)} download={file.name}>
            <Download aria-hidden="true" />
            {t('files.download')}
          </a>
        )}
      </div>
      {view === 'changes' ? (
        <FileChanges sessionId={sessionId} path={file.path} changes={changes} onLeave={onClose} />
      ) : (
        <FilePreview sessionId={sessionId} file={file} />
      )}
    </Dialog>
  )
}
