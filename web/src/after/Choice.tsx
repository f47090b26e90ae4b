// A choice of a few short words beside each other, of which one always holds.
import { useId } from 'react'
import styles from './Choice.module.css'

interface Props<Value extends string | number> {
  label: string
  value: Value
  choices: readonly { value: NoInfer<Value>; word: string }[]
  onChange(value: NoInfer<Value>): void
}

export function Choice<Value extends string | number>({ label, value, choices, onChange }: Props<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.choice}>
      <legend className="visually-hidden">{label}</legend>
      {choices.map((one) => (
        <label key={one.value}>
          <input type="radio" name={name} checked={one.value === value} onChange={() => onChange(one.value)} />
          <span>{one.word}</span>
        </label>
      ))}
    </fieldset>
  )
}
