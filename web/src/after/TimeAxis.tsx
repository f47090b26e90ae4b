// Times below a timeline, as many as there is room for.
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { localeOf } from '@/i18n/format'
import styles from './TimeAxis.module.css'
import { ticksOf } from './ticks'
import type { Timeline } from './timeline'

interface Props {
  timeline: Timeline
  width: number
}

/** Drawn once for each width: while a session is replayed the page is drawn with every frame. */
export const TimeAxis = memo(function TimeAxis({ timeline, width }: Props) {
  const { i18n } = useTranslation()
  if (width === 0) return null
  return (
    <div className={styles.axis} aria-hidden="true">
      {ticksOf(timeline, width, localeOf(i18n.language)).map(({ left, label }) => (
        <span key={left} style={{ left }}>
          {label}
        </span>
      ))}
    </div>
  )
})
