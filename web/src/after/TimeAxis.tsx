// Times below a timeline, as many as there is room for.
import { useTranslation } from 'react-i18next'
import { localeOf } from '@/i18n/format'
import styles from './TimeAxis.module.css'
import { ticksOf } from './ticks'
import type { Timeline } from './timeline'

interface Props {
  timeline: Timeline
  width: number
  momentAt(x: number): number
}

export function TimeAxis({ timeline, width, momentAt }: Props) {
  const { i18n } = useTranslation()
  if (width === 0) return null
  return (
    <div className={styles.axis} aria-hidden="true">
      {ticksOf(timeline, width, momentAt, localeOf(i18n.language)).map(({ left, label }) => (
        <span key={left} style={{ left }}>
          {label}
        </span>
      ))}
    </div>
  )
}
