// What a process wrote to stderr before it ended: the first lines, how many were left out, the last ones.
import type { Stderr } from 'holdfast-client'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { ScrollArea } from '@/markdown/ScrollArea'
import styles from './StderrView.module.css'

export function StderrView({ stderr: { head, tail, total_lines: total } }: { stderr: Stderr }) {
  const { t } = useTranslation('conversation')
  const format = useFormat()
  const first = countOf(head)
  const last = tail ? countOf(tail) : 0
  const leftOut = total - first - last
  const lines = (from: number, to: number) =>
    t('stderr.lines', { from: format.number(from), to: format.number(to), total: format.number(total) })
  return (
    <figure className={styles.stderr}>
      <figcaption className={styles.caption}>
        <span>{t('stderr.title')}</span>
        <span>{lines(1, first)}</span>
      </figcaption>
      <Lines text={head} label={lines(1, first)} />
      {tail && (
        <>
          <p className={styles.leftOut}>{t('stderr.left_out', { count: leftOut, number: format.number(leftOut) })}</p>
          <p className={styles.caption}>
            <span>{lines(total - last + 1, total)}</span>
          </p>
          <Lines text={tail} label={lines(total - last + 1, total)} isEnd />
        </>
      )}
    </figure>
  )
}

function Lines({ text, label, isEnd = false }: { text: string; label: string; isEnd?: boolean }) {
  return (
    <ScrollArea className={styles.lines} ref={isEnd ? toEnd : undefined} label={label}>
      <pre>{text.trimEnd()}</pre>
    </ScrollArea>
  )
}

/** The last line says most. */
function toEnd(element: HTMLElement | null): void {
  if (element) element.scrollTop = element.scrollHeight
}

function countOf(text: string): number {
  return text.trimEnd().split('\n').length
}
