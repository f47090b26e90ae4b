// Parts of a call's input by their names, whole.
import styles from './InputEntries.module.css'
import { Revealed } from './Revealed'
import type { Entry } from './subject'

export function InputEntries({ entries }: { entries: readonly Entry[] }) {
  if (entries.length === 0) return null
  return (
    <dl className={styles.entries}>
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Revealed text={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
