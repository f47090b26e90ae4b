// What the colours of a timeline mean: those that occur in it.
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './Legend.module.css'
import type { Timeline } from './timeline'

const STATES = ['done', 'failed', 'refused', 'unknown', 'running'] as const

export const Legend = memo(function Legend({ timeline }: { timeline: Timeline }) {
  const { t } = useTranslation('after')
  const there = new Set(timeline.spans.map(({ state }) => (state === 'waiting' ? 'running' : state)))
  const isIdle = timeline.breaks.some((one) => one.isIdle)
  return (
    <ul className={styles.legend} aria-label={t('timeline.legend')}>
      {STATES.filter((state) => there.has(state)).map((state) => (
        <li key={state}>
          <span className={`${styles.swatch} ${styles[state]}`} aria-hidden="true" />
          {t(`timeline.states.${state}`)}
        </li>
      ))}
      {isIdle && (
        <li>
          <span className={`${styles.swatch} ${styles.idle}`} aria-hidden="true" />
          {t('timeline.lanes.idle')}
        </li>
      )}
    </ul>
  )
})
