// The frame of a page that is read from the top: heading, a sentence about it, what can be done; on a phone a way back.
import { ArrowLeft, ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useTitle } from '@/app/useTitle'
import styles from './Page.module.css'

export interface PageProps {
  title: string
  intro?: ReactNode
  actions?: ReactNode
  /** The page above this one, for a page that belongs to another. */
  above?: { href: string; title: string }
  children: ReactNode
}

export function Page({ title, intro, actions, above, children }: PageProps) {
  useTitle(title)
  return (
    <div className={styles.page}>
      {above && (
        <Link href={above.href} className={styles.above}>
          <ChevronLeft aria-hidden="true" />
          {above.title}
        </Link>
      )}
      <header className={styles.head}>
        <BackLink {...above} />
        <h1>{title}</h1>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {intro && <p className={styles.intro}>{intro}</p>}
      {children}
    </div>
  )
}

/** There on phones only, where the list is a page of its own. */
export function BackLink({ href = '/', title }: { href?: string; title?: string }) {
  const { t } = useTranslation('app')
  const label = title ? t('back_to', { page: title }) : t('back')
  return (
    <Link href={href} className={styles.back} aria-label={label} title={label}>
      <ArrowLeft aria-hidden="true" />
    </Link>
  )
}
