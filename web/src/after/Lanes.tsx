// The lanes of a timeline, drawn once for each width: runs, stretches without events, and what went on.
import { memo, useId, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import styles from './Lanes.module.css'
import { HEIGHT, LANES, lanePaths, RUNS } from './lanePaths'
import type { RunSpan, Timeline } from './timeline'

// Narrower than this, words would only be cut.
const ROOM_FOR_RUN = 70
const ROOM_FOR_NUMBER = 18
const ROOM_FOR_IDLE = 20
const ROOM_FOR_WORDS = 84

export const Lanes = memo(function Lanes({ timeline, width }: { timeline: Timeline; width: number }) {
  const { t } = useTranslation('after')
  const format = useFormat()
  const hatch = useId()
  const paths = useMemo(() => lanePaths(timeline, width), [timeline, width])
  const scale = width / timeline.length
  const idle = timeline.breaks.filter((one) => one.isIdle)
  return (
    <div className={styles.lanes} aria-hidden="true">
      <svg width={width} height={HEIGHT} role="presentation">
        <defs>
          <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="1.5" height="6" className={styles.hatch} />
          </pattern>
        </defs>
        {Object.entries(LANES).map(([lane, { top, height }]) => (
          <rect key={lane} x={0} y={top} width={width} height={height} rx={3} className={styles.ground} />
        ))}
        {idle.map(({ from, to }) => (
          <rect
            key={from}
            x={from * scale}
            y={RUNS.height + 4}
            width={(to - from) * scale}
            height={HEIGHT - RUNS.height - 4}
            fill={`url(#${hatch})`}
          />
        ))}
        {paths.map(({ look, path, opacity }) => (
          <path key={`${look} ${opacity}`} d={path} className={styles[look]} opacity={opacity} />
        ))}
        {timeline.runs.map((run) => (
          <line
            key={run.number}
            x1={run.to * scale}
            x2={run.to * scale}
            y1={2}
            y2={HEIGHT}
            className={`${styles.end} ${styles[toneOf(run)]}`}
          />
        ))}
      </svg>
      {timeline.runs.map((run) => {
        const room = Math.max(2, (run.to - run.from) * scale)
        return (
          <span
            key={run.number}
            className={`${styles.run} ${styles[toneOf(run)]}`}
            style={{ left: run.from * scale, width: room, height: RUNS.height }}
          >
            {room > ROOM_FOR_RUN ? t('timeline.run', { number: run.number }) : room > ROOM_FOR_NUMBER && run.number}
          </span>
        )
      })}
      {idle
        .filter(({ from, to }) => (to - from) * scale > ROOM_FOR_IDLE)
        .map(({ from, to, ms }) => (
          <span
            key={from}
            className={styles.idle}
            data-upright={(to - from) * scale < ROOM_FOR_WORDS}
            style={{ left: from * scale, width: (to - from) * scale }}
          >
            <span>{format.duration(ms)}</span>
          </span>
        ))}
    </div>
  )
})

function toneOf({ end }: RunSpan): 'good' | 'ended' | 'bad' {
  if (end === null) return 'good'
  return end.stopReason === 'success' ? 'ended' : 'bad'
}
