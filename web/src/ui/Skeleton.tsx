// Grey lines where content is about to be, so that nothing jumps when it comes.
import styles from './Skeleton.module.css'

export function Skeleton({ lines = 3, label }: { lines?: number; label: string }) {
  return (
    <div className={styles.skeleton} role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike and never move
        <span key={line} />
      ))}
    </div>
  )
}
