// A command and what it printed, as it looks in a terminal; a long output is folded in its middle.
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { ScrollArea } from '@/markdown/ScrollArea'
import { CopyButton } from '@/ui/CopyButton'
import styles from './TerminalDetail.module.css'
import { useShortened } from './useShortened'

const HEAD = 10
const TAIL = 14
// So much stands on the page at once: a text without line breaks is cut too.
const MOST_CHARACTERS = 100_000

interface TerminalDetailProps {
  command: string | null
  output: string
  exitCode: number | null
  isRunning: boolean
}

export function TerminalDetail({ command, output, exitCode, isRunning }: TerminalDetailProps) {
  const { t } = useTranslation('conversation')
  const format = useFormat()
  const text = output.replace(/\s+$/, '')
  const lines = text === '' ? [] : text.slice(0, MOST_CHARACTERS).split('\n')
  const { head, tail, leftOut, isWhole, showAll } = useShortened(lines, HEAD, TAIL)
  return (
    <figure className={styles.terminal}>
      <div className={styles.copy}>
        <CopyButton text={output || command || ''} />
      </div>
      <ScrollArea className={styles.scroll} label={t('terminal.label')}>
        {command !== null && (
          <pre className={styles.command}>
            <span className={styles.prompt} aria-hidden="true">
              ${' '}
            </span>
            {command}
          </pre>
        )}
        {head.length > 0 && <pre className={styles.output}>{head.join('\n')}</pre>}
        {leftOut > 0 && (
          <button type="button" className={styles.more} onClick={showAll}>
            {t('terminal.show_all', { count: lines.length, number: format.number(lines.length) })}
          </button>
        )}
        {tail.length > 0 && <pre className={styles.output}>{tail.join('\n')}</pre>}
        {lines.length === 0 && !isRunning && <p className={styles.about}>{t('terminal.nothing')}</p>}
        {text.length > MOST_CHARACTERS && isWhole && <p className={styles.about}>{t('cut')}</p>}
        {exitCode !== null && exitCode !== 0 && <p className={styles.exit}>{t('exit.by_code', { code: exitCode })}</p>}
      </ScrollArea>
    </figure>
  )
}
