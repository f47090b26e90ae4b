// A short word about a state, in the colour of what it means. Never the colour alone: it always has its word.
import type { ComponentProps, ReactNode } from 'react'
import styles from './Chip.module.css'

export type Tone = 'neutral' | 'accent' | 'good' | 'bad' | 'warn'

export function Chip({
  tone = 'neutral',
  icon,
  children,
  ...rest
}: Omit<ComponentProps<'span'>, 'className'> & { tone?: Tone; icon?: ReactNode }) {
  return (
    <span {...rest} className={`${styles.chip} ${styles[tone]}`}>
      {icon}
      <span className={styles.word}>{children}</span>
    </span>
  )
}

/** A dot in front of a word; pulsing while something is under way. */
export function Dot({ tone = 'neutral', pulsing = false }: { tone?: Tone; pulsing?: boolean }) {
  return <span className={`${styles.dot} ${styles[tone]} ${pulsing ? styles.pulsing : ''}`} aria-hidden="true" />
}
