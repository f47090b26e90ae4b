// A quiet line that has nothing to unfold.
import type { ReactNode } from 'react'
import styles from './Line.module.css'

export function Line({
  icon,
  tone = 'quiet',
  children,
}: {
  icon: ReactNode
  tone?: 'quiet' | 'bad' | 'warn' | 'good'
  children: ReactNode
}) {
  return (
    <div className={styles.line} data-tone={tone}>
      <span className={styles.icon} aria-hidden="true">
        {icon}
      </span>
      <p className={styles.text}>{children}</p>
    </div>
  )
}
