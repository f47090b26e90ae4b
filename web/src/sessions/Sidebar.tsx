// The side: the way to a new task, the sessions, and the other pages.
import { Anchor, Bot, CircleHelp, FolderGit2, Inbox, Plus, Search, Settings } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useRoute } from 'wouter'
import { tellShortcut } from '@/app/shortcuts'
import { useWaitingCount } from '@/inbox/useWaitingCount'
import { IconButton } from '@/ui/Button'
import { SessionList } from './SessionList'
import styles from './Sidebar.module.css'
import { useNarrow } from './useNarrow'

export function Sidebar({ className }: { className?: string | undefined }) {
  const { t } = useTranslation('app')
  const waiting = useWaitingCount()
  // On a phone the list is a page of its own.
  const [isHome] = useRoute('/')
  const isPage = useNarrow() && isHome
  const Heading = isPage ? 'h1' : 'span'
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: whichever role it has, both take a name
    <div
      className={`${styles.side} ${className ?? ''}`}
      role={isPage ? 'main' : 'complementary'}
      aria-label={t('nav.label')}
    >
      <div className={styles.head}>
        <Link href="/" className={styles.brand}>
          <Anchor aria-hidden="true" />
          <Heading>Holdfast</Heading>
        </Link>
        <IconButton label={t('nav.palette')} icon={<Search />} size="s" onClick={() => tellShortcut('palette')} />
        <IconButton label={t('nav.help')} icon={<CircleHelp />} size="s" onClick={() => tellShortcut('help')} />
      </div>
      <Link href="/new" className={styles.create}>
        <Plus aria-hidden="true" />
        {t('nav.new')}
      </Link>
      <SessionList />
      <nav className={styles.nav} aria-label={t('nav.label')}>
        <NavLink href="/inbox" icon={<Inbox />} label={t('nav.inbox')} count={waiting} />
        <NavLink href="/projects" icon={<FolderGit2 />} label={t('nav.projects')} />
        <NavLink href="/agents" icon={<Bot />} label={t('nav.agents')} />
        <NavLink href="/settings" icon={<Settings />} label={t('nav.settings')} />
      </nav>
    </div>
  )
}

function NavLink({ href, icon, label, count = 0 }: { href: string; icon: ReactNode; label: string; count?: number }) {
  const { t } = useTranslation('sessions')
  const [isHere] = useRoute(`${href}/*?`)
  return (
    <Link href={href} className={styles.link} aria-current={isHere ? 'page' : undefined}>
      {icon}
      <span>{label}</span>
      {count > 0 && (
        <b className={styles.count}>
          {count}
          <span className="visually-hidden">{t('waiting_count', { count })}</span>
        </b>
      )}
    </Link>
  )
}
