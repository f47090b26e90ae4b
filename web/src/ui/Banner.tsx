// A message across the page: what is wrong in plain words, and what to do about it.
import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './Banner.module.css'

const ICONS = { bad: CircleAlert, warn: TriangleAlert, neutral: Info } as const

export function Banner({
  tone,
  children,
  actions,
  testId,
}: {
  tone: keyof typeof ICONS
  children: ReactNode
  actions?: ReactNode
  testId?: string
}) {
  const Icon = ICONS[tone]
  return (
    <div className={`${styles.banner} ${styles[tone]}`} data-testid={testId} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon className={styles.icon} aria-hidden="true" />
      <div className={styles.text}>{children}</div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
