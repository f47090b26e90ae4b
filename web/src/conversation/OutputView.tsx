// The structured result of a run: what it gives back, what went wrong, what it says about it, and its files.
import { FileText } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Markdown } from '@/markdown/Markdown'
import { Chip } from '@/ui/Chip'
import { CopyButton } from '@/ui/CopyButton'
import styles from './OutputView.module.css'
import type { RowOf } from './row'

export function OutputView({ row: { item } }: { row: RowOf<'output'> }) {
  const { t } = useTranslation('conversation')
  const { output, error, comments, result_files: files, status } = item.data
  return (
    <section className={styles.output} aria-label={t('output.title')}>
      <div className={styles.head}>
        <h2>{t('output.title')}</h2>
        {/* The agent's own word for how it went [R087]. */}
        {status && <Chip tone={status === 'COMPLETE' ? 'good' : 'bad'}>{status}</Chip>}
        {output && (
          <span className={styles.copy}>
            <CopyButton text={output} />
          </span>
        )}
      </div>
      {output && <Markdown text={output} />}
      {error && <p className={styles.error}>{error}</p>}
      {comments && (
        <div className={styles.comments}>
          <Markdown text={comments} />
        </div>
      )}
      {files.length > 0 && (
        <ul className={styles.files} aria-label={t('output.files')}>
          {files.map((file) => (
            <li key={file}>
              <Chip icon={<FileText aria-hidden="true" />}>{file}</Chip>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
