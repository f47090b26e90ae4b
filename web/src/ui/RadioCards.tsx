// One choice of a few, each with room for a sentence: native radio buttons that look like cards.
import { type ReactNode, useId } from 'react'
import styles from './RadioCards.module.css'

export interface RadioCard<Value extends string> {
  value: Value
  title: ReactNode
  text?: ReactNode
  icon?: ReactNode
  disabled?: boolean
}

export interface RadioCardsProps<Value extends string> {
  legend: string
  /** The legend is there for screen readers only. */
  hiddenLegend?: boolean
  /** How much each has to say: a word, a line, or a sentence. */
  size?: 'word' | 'line' | 'sentence'
  value: Value
  options: readonly RadioCard<Value>[]
  onChange(value: Value): void
}

export function RadioCards<Value extends string>(props: RadioCardsProps<Value>) {
  const { legend, hiddenLegend = false, size = 'line', value, options, onChange } = props
  const name = useId()
  return (
    <fieldset className={`${styles.group} ${styles[size]}`}>
      <legend className={hiddenLegend ? 'visually-hidden' : styles.legend}>{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.card}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled ?? false}
            onChange={() => onChange(option.value)}
          />
          {option.icon}
          <span className={styles.inside}>
            <span className={styles.title}>{option.title}</span>
            {option.text && <span className={styles.text}>{option.text}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
