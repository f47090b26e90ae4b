// A quiet line that unfolds to more: icon, name, what it is about, and at the end how it went.
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useActions } from './actions'
import styles from './FoldLine.module.css'

export interface FoldLineProps {
  rowKey: string
  isUnfolded: boolean
  icon: ReactNode
  title: ReactNode
  /** One line; cut off at its end. */
  summary?: ReactNode
  aside?: ReactNode
  tone?: 'quiet' | 'bad' | 'warn'
  /** What is there beside the line, also while it is folded. */
  below?: ReactNode
  /** Rendered only if it is unfolded. */
  children?: ReactNode
}

export function FoldLine(props: FoldLineProps) {
  const { rowKey, isUnfolded, icon, title, summary, aside, tone = 'quiet', below, children } = props
  const { toggle } = useActions()
  const id = useId()
  return (
    <div className={styles.fold} data-tone={tone}>
      <button
        type="button"
        className={styles.line}
        aria-expanded={isUnfolded}
        aria-controls={isUnfolded && children ? id : undefined}
        onClick={() => toggle(rowKey, !isUnfolded)}
      >
        <ChevronRight className={styles.chevron} aria-hidden="true" />
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
        <span className={styles.title}>{title}</span>
        {summary !== undefined && <span className={styles.summary}>{summary}</span>}
        {aside !== undefined && <span className={styles.aside}>{aside}</span>}
      </button>
      {below}
      {isUnfolded && children && (
        <div id={id} className={styles.detail}>
          {children}
        </div>
      )}
    </div>
  )
}
