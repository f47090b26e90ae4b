// The files that the session changed, with what was added and removed; each can be looked at and downloaded.
import { FilePen, FileText, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '@/data/Problem'
import { useFiles } from '@/data/server'
import { useRecord } from '@/data/sessions'
import type { Conversation } from '@/fold/model'
import { useFormat } from '@/i18n/format'
import { Button, IconButton } from '@/ui/Button'
import { Skeleton } from '@/ui/Skeleton'
import { FileDialog } from './FileDialog'
import styles from './FilesPanel.module.css'
import { isOutside, type ShownFile, shownFiles } from './files'
import { Section } from './Section'
import { useEdited } from './useEdited'

const FEW = 8

export function FilesPanel({ sessionId, conversation }: { sessionId: string; conversation: Conversation }) {
  const { t } = useTranslation('after')
  const { data: record } = useRecord(sessionId)
  const listed = useFiles(sessionId)
  const [open, setOpen] = useState<string | null>(null)
  const [isLong, setLong] = useState(false)
  const edited = useEdited(conversation)
  const files = shownFiles(listed.data?.files ?? [], edited, record?.workspace ?? '')
  const visible = isLong ? files : files.slice(0, FEW)
  const chosen = files.find((file) => file.path === open)
  const isOver = conversation.runs.at(-1)?.end != null
  return (
    <Section
      title={t('files.title')}
      aside={
        <span className={styles.aside}>
          {files.length > 0 && files.length}
          <IconButton
            label={t('files.refresh')}
            icon={<RotateCw />}
            size="s"
            busy={listed.isFetching}
            onClick={() => listed.refetch()}
          />
        </span>
      }
    >
      {listed.error && <Problem error={listed.error} />}
      {listed.isPending && !listed.error && <Skeleton label={t('files.loading')} lines={2} />}
      {listed.data && files.length === 0 && (
        <p className={styles.about}>{t(isOver ? 'files.none_ended' : 'files.none')}</p>
      )}
      {files.length > 0 && (
        <ul className={styles.list}>
          {visible.map((file) => (
            <li key={file.path}>
              <FileEntry file={file} onOpen={() => setOpen(file.path)} />
            </li>
          ))}
        </ul>
      )}
      {files.length > FEW && (
        <Button size="s" tone="quiet" onClick={() => setLong(!isLong)}>
          {isLong ? t('files.show_fewer') : t('files.show_all', { total: files.length })}
        </Button>
      )}
      {listed.data?.truncated && <p className={styles.about}>{t('files.more')}</p>}
      {chosen && <FileDialog sessionId={sessionId} file={chosen} onClose={() => setOpen(null)} />}
    </Section>
  )
}

function FileEntry({ file, onOpen }: { file: ShownFile; onOpen(): void }) {
  const { t } = useTranslation('after')
  const format = useFormat()
  const { edits, onDisk } = file
  const Icon = edits ? FilePen : FileText
  return (
    <button type="button" className={styles.file} title={file.path} onClick={onOpen}>
      <Icon aria-hidden="true" />
      <span className={styles.words}>
        <span className={styles.name}>
          <span className={styles.folder}>{file.folder}</span>
          {file.name}
        </span>
        <span className={styles.facts}>
          {edits && edits.added > 0 && (
            <span className={styles.added}>
              <span aria-hidden="true">+{format.number(edits.added)}</span>
              <span className="visually-hidden">{t('files.added', { count: edits.added })}</span>
            </span>
          )}
          {edits && edits.removed > 0 && (
            <span className={styles.removed}>
              <span aria-hidden="true">−{format.number(edits.removed)}</span>
              <span className="visually-hidden">{t('files.removed', { count: edits.removed })}</span>
            </span>
          )}
          {onDisk && <span>{format.bytes(onDisk.size)}</span>}
          {onDisk && <span>{format.ago(onDisk.modified_at)}</span>}
          {!onDisk && !isOutside(file.path) && <span>{t('files.gone')}</span>}
        </span>
      </span>
    </button>
  )
}
