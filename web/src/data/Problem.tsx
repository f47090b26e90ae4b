// An error on the page, in plain words, where it happened.
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './Problem.module.css'
import { useProblem } from './problem'

export function Problem({ error, action }: { error: unknown; action?: ReactNode }) {
  const plain = useProblem()
  if (!error) return null
  const { text, detail } = plain(error)
  return (
    <div className={styles.problem} role="alert">
      <CircleAlert aria-hidden="true" />
      <div>
        <p>{text}</p>
        {detail && <p className={styles.detail}>{detail}</p>}
        {action}
      </div>
    </div>
  )
}
