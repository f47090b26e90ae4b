// One group of the list, with its heading and count; nothing if it is empty.
import type { SessionRecord } from 'holdfast-client'
import { useId } from 'react'
import styles from './SessionGroup.module.css'
import { SessionItem } from './SessionItem'

interface Props {
  title: string
  records: readonly SessionRecord[]
  current: string | undefined
  now: number
}

export function SessionGroup({ title, records, current, now }: Props) {
  const id = useId()
  if (records.length === 0) return null
  return (
    <section aria-labelledby={id} className={styles.group}>
      <h2 id={id}>
        {title} <span className={styles.count}>{records.length}</span>
      </h2>
      <ul className={styles.items}>
        {records.map((record) => (
          <SessionItem key={record.session_id} record={record} isCurrent={record.session_id === current} now={now} />
        ))}
      </ul>
    </section>
  )
}
