// How a tool call stands: how long it took, and a mark with its word for screen readers.
import { Ban, Check, CircleHelp, CircleX, Hand, LoaderCircle } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ToolItem } from '@/fold/model'
import { useFormat } from '@/i18n/format'
import styles from './ToolState.module.css'

const ICONS = {
  running: LoaderCircle,
  waiting: Hand,
  done: Check,
  failed: CircleX,
  refused: Ban,
  unknown: CircleHelp,
} as const

export function ToolStateMark({ tool: { state, durationMs } }: { tool: ToolItem }) {
  const { t } = useTranslation('conversation')
  const format = useFormat()
  const Icon = ICONS[state]
  // What went as it should needs no word; all else has one that can be seen.
  const isPlain = state === 'done'
  return (
    <>
      {durationMs !== null && state !== 'running' && <span>{format.duration(durationMs)}</span>}
      <span className={styles.state} data-state={state}>
        <span className={isPlain ? 'visually-hidden' : styles.word}>{t(`tool.state.${state}`)}</span>
        <Icon aria-hidden="true" />
      </span>
    </>
  )
}
