// What a page says when it has nothing to show, and what to do then.
import type { ReactNode } from 'react'
import styles from './Empty.module.css'

export function Empty({
  icon,
  title,
  children,
  action,
}: {
  icon?: ReactNode
  title: string
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className={styles.empty}>
      {icon && <span className={styles.icon}>{icon}</span>}
      <h2>{title}</h2>
      {children && <div className={styles.text}>{children}</div>}
      {action}
    </div>
  )
}
