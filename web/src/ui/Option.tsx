// One of several things to choose, in a box that takes a click anywhere.
import type { ComponentProps, ReactNode } from 'react'
import styles from './Option.module.css'

interface OptionProps extends ComponentProps<'input'> {
  type: 'checkbox' | 'radio'
  label: ReactNode
  hint?: ReactNode
}

export function Option({ label, hint, ...input }: OptionProps) {
  return (
    <label className={styles.option}>
      <input {...input} />
      <span>
        <span className={styles.name}>{label}</span>
        {hint && <span className={styles.hint}>{hint}</span>}
      </span>
    </label>
  )
}
