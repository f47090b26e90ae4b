// The frame of a page that is read from the top: heading, a sentence about it, what can be done; on a phone a way back.
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useTitle } from '@/app/useTitle'
import styles from './Page.module.css'

export interface PageProps {
  title: string
  intro?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

export function Page({ title, intro, actions, children }: PageProps) {
  useTitle(title)
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <BackLink />
        <h1>{title}</h1>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {intro && <p className={styles.intro}>{intro}</p>}
      {children}
    </div>
  )
}

/** There on phones only, where the list is a page of its own. */
export function BackLink() {
  const { t } = useTranslation('app')
  return (
    <Link href="/" className={styles.back} aria-label={t('back')} title={t('back')}>
      <ArrowLeft aria-hidden="true" />
    </Link>
  )
}
