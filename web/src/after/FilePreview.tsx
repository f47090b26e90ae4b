// The beginning of a file of a session, if it is a text.
import { useQuery } from '@tanstack/react-query'
import { HoldfastError } from 'holdfast-client'
import { useTranslation } from 'react-i18next'
import { useServices } from '@/app/Services'
import { keys } from '@/data/keys'
import { Problem } from '@/data/Problem'
import { CodeBlock } from '@/markdown/CodeBlock'
import { Skeleton } from '@/ui/Skeleton'
import styles from './FilePreview.module.css'
import { isOutside, type ShownFile } from './files'

// Other problems are those of the server; these are about the file.
const ABOUT_FILE: Readonly<Record<string, string>> = { not_text: 'files.preview_not_text', not_found: 'files.gone_now' }

export function FilePreview({ sessionId, file }: { sessionId: string; file: ShownFile }) {
  const { t } = useTranslation('after')
  const { client } = useServices()
  const canBeRead = !isOutside(file.path)
  const { data, error } = useQuery({
    queryKey: [...keys.files(sessionId), 'text', file.path, file.onDisk?.modified_at],
    queryFn: ({ signal }) => client.session(sessionId).fileText(file.path, { signal }),
    enabled: canBeRead,
    retry: false,
  })
  if (!canBeRead) return <p className={styles.note}>{t('files.outside')}</p>
  if (error) {
    const about = error instanceof HoldfastError ? ABOUT_FILE[error.code] : undefined
    return about === undefined ? <Problem error={error} /> : <p className={styles.note}>{t(about)}</p>
  }
  if (!data) return <Skeleton label={t('files.preview_loading')} lines={8} />
  if (data.text === '') return <p className={styles.note}>{t('files.preview_empty')}</p>
  return (
    <>
      {data.truncated && <p className={styles.note}>{t('files.preview_cut')}</p>}
      <div className={styles.text}>
        <CodeBlock code={data.text} language={/\.(\w+)$/.exec(file.name)?.[1]} part="whole" />
      </div>
    </>
  )
}
