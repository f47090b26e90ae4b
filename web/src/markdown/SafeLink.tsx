// A link that opens only what may be opened; any other address is shown as text.
import type { ReactNode } from 'react'
import { safeLink } from './links'
import styles from './Markdown.module.css'

export function SafeLink({ address, title, children }: { address: string; title: string | null; children: ReactNode }) {
  const href = safeLink(address)
  if (href === null) {
    return (
      <span className={styles.unlinked} title={address}>
        {children}
      </span>
    )
  }
  return (
    <a href={href} title={title ?? undefined} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  )
}
