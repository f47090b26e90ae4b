// A run that failed: what happened in plain words, what the agent's process left behind, and what to do next.
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { End } from '@/fold/model'
import { CopyButton } from '@/ui/CopyButton'
import { adviceFor } from './advice'
import styles from './CrashPanel.module.css'
import { exitMeaning } from './exits'
import { StderrView } from './StderrView'
import { stopReasonName } from './stopReason'

interface CrashPanelProps {
  end: End
  /** Nothing was begun since: it can still be helped. */
  isLast: boolean
  numbers: ReactNode
}

export function CrashPanel({ end, isLast, numbers }: CrashPanelProps) {
  const { t } = useTranslation('conversation')
  const { t: tAgent } = useTranslation('agent')
  const info = end.termination
  const meaning = exitMeaning(info?.exit_code, info?.signal)
  const title = tAgent(`stop_reason.${stopReasonName(end.stopReason)}`)
  return (
    <section className={styles.panel} role={isLast ? 'alert' : undefined} aria-label={title}>
      <div className={styles.head}>
        <CircleAlert aria-hidden="true" />
        <h2>{title}</h2>
        <span className={styles.copy}>
          <CopyButton text={() => report(end)} label={t('end.copy_report')} />
        </span>
      </div>
      {end.message && <p className={styles.message}>{end.message}</p>}
      {(info?.exit_code !== undefined || info?.signal !== undefined) && (
        <p className={styles.exit}>
          <strong className={styles.code}>
            {info.signal ? t('exit.by_signal', { signal: info.signal }) : t('exit.by_code', { code: info.exit_code })}
          </strong>
          {meaning && <span className={styles.meaning}>{t(`exit.${meaning}`)}</span>}
        </p>
      )}
      {info?.stderr && <StderrView stderr={info.stderr} />}
      {isLast && <p className={styles.advice}>{t(`advice.${adviceFor(end)}`)}</p>}
      <div className={styles.foot}>{numbers}</div>
    </section>
  )
}

/** All of it as text, for whoever is asked for help. */
function report({ stopReason, errorType, message, termination }: End): string {
  const { exit_code: code, signal, stderr } = termination ?? {}
  const leftOut = stderr?.tail ? `\n… ${stderr.total_lines} lines in all …\n${stderr.tail}` : ''
  return [
    `stop reason: ${stopReason ?? '?'}${errorType ? ` (${errorType})` : ''}`,
    message,
    code !== undefined && `exit code: ${code}`,
    signal !== undefined && `signal: ${signal}`,
    stderr && `stderr:\n${stderr.head}${leftOut}`,
  ]
    .filter(Boolean)
    .join('\n')
}
