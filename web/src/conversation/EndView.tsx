// How a run ended: one line for what went well or was stopped, a panel for what failed.
import { useTranslation } from 'react-i18next'
import type { End } from '@/fold/model'
import { useFormat } from '@/i18n/format'
import { CrashPanel } from './CrashPanel'
import styles from './EndView.module.css'
import type { RowOf } from './row'
import { StopReasonChip } from './StopReasonChip'

export function EndView({ row: { item, isLast } }: { row: RowOf<'end'> }) {
  const { end } = item
  if (end.type === 'error') return <CrashPanel end={end} isLast={isLast} numbers={<Numbers end={end} />} />
  return (
    <div className={styles.end}>
      <StopReasonChip reason={end.stopReason} />
      <Numbers end={end} />
      {end.stopReason !== 'success' && end.message && <p className={styles.message}>{end.message}</p>}
    </div>
  )
}

/** Cost, time, turns and tokens: those that are known. */
function Numbers({ end }: { end: End }) {
  const { t } = useTranslation('conversation')
  const format = useFormat()
  const numbers = [
    end.costUsd !== null && format.cost(end.costUsd),
    end.durationMs !== null && format.duration(end.durationMs),
    end.turns !== null && t('end.turns', { count: end.turns, number: format.number(end.turns) }),
    end.inputTokens !== null &&
      t('end.tokens', { read: format.compact(end.inputTokens), written: format.compact(end.outputTokens ?? 0) }),
  ].filter((number) => number !== false)
  if (numbers.length === 0) return null
  return (
    <ul className={styles.numbers}>
      {numbers.map((number) => (
        <li key={number}>{number}</li>
      ))}
    </ul>
  )
}
