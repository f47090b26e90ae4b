// The attached files as chips: a thumbnail for pictures, name, size, and a way to take each away.
import { FileText, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import styles from './AttachmentList.module.css'
import { type Attached, isPicture, MOST_BYTES, MOST_FILES, type Refused } from './attachments'

export interface AttachmentListProps {
  attached: readonly Attached[]
  refused: readonly Refused[]
  onRemove(id: string): void
}

export function AttachmentList({ attached, refused, onRemove }: AttachmentListProps) {
  const { t } = useTranslation('newtask')
  const format = useFormat()
  return (
    <>
      {attached.length > 0 && (
        <ul className={styles.list} aria-label={t('attachments.label')}>
          {attached.map(({ id, name, file }) => (
            <li key={id} className={styles.chip}>
              <Thumbnail file={file} />
              <span className={styles.name} title={name}>
                {name}
              </span>
              <span className={styles.size}>{format.bytes(file.size)}</span>
              <button type="button" className={styles.remove} onClick={() => onRemove(id)}>
                <X aria-hidden="true" />
                <span className="visually-hidden">{t('attachments.remove', { name })}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {refused.length > 0 && (
        <ul className={styles.refused} role="alert">
          {refused.map(({ name, size, reason }) => (
            <li key={`${name}:${size}`}>
              {t(`attachments.${reason}`, {
                name,
                size: format.bytes(size),
                most: format.bytes(MOST_BYTES),
                count: MOST_FILES,
              })}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Thumbnail({ file }: { file: File }) {
  const [url, setUrl] = useState<string>()
  const [isBroken, setBroken] = useState(false)
  useEffect(() => {
    if (!isPicture(file)) return
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  if (!url || isBroken) return <FileText aria-hidden="true" />
  return <img className={styles.thumbnail} src={url} alt="" onError={() => setBroken(true)} />
}
