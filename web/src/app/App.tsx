// The frame: what stands around every page, and which page stands where.
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { AuthBanner } from '@/agents/AuthBanner'
import { InboxPage } from '@/inbox/InboxPage'
import { Notifier } from '@/inbox/Notifier'
import { useConnection } from '@/live/hooks'
import { LoginPage } from '@/login/LoginPage'
import { NewTaskPage } from '@/newtask/NewTaskPage'
import { projectIdIn } from '@/project/address'
import { SessionPage } from '@/sessions/SessionPage'
import { Sidebar } from '@/sessions/Sidebar'
import { Page } from '@/ui/Page'
import { Skeleton } from '@/ui/Skeleton'
import { Announcer } from './Announcer'
import styles from './App.module.css'
import { ConnectionBanner } from './ConnectionBanner'
import { CrashBoundary } from './CrashBoundary'
import { Overlays } from './Overlays'

const TimelinePage = lazy(() => import('@/after/TimelinePage').then((all) => ({ default: all.TimelinePage })))
const AgentsPage = lazy(() => import('@/agents/AgentsPage').then((all) => ({ default: all.AgentsPage })))
const SettingsPage = lazy(() => import('@/settings/SettingsPage').then((all) => ({ default: all.SettingsPage })))
const WebhooksPage = lazy(() => import('@/webhooks/WebhooksPage').then((all) => ({ default: all.WebhooksPage })))
const WebhookPage = lazy(() => import('@/webhooks/WebhookPage').then((all) => ({ default: all.WebhookPage })))
const ProjectsPage = lazy(() => import('@/project/ProjectsPage').then((all) => ({ default: all.ProjectsPage })))
const ProjectPage = lazy(() => import('@/project/ProjectPage').then((all) => ({ default: all.ProjectPage })))

export function App() {
  const { isUnauthorized } = useConnection()
  const [location] = useLocation()
  if (location === '/login') return <LoginPage />
  if (isUnauthorized) return <Redirect to={`/login?next=${encodeURIComponent(here(location))}`} replace />
  return <Frame location={location} />
}

/** With the filter and the event of the address. */
function here(location: string): string {
  return location + window.location.search + window.location.hash
}

function Frame({ location }: { location: string }) {
  const { t } = useTranslation('app')
  return (
    <div className={styles.frame} data-page={location === '/' ? 'list' : 'page'}>
      <a className={styles.skip} href="#main">
        {t('skip')}
      </a>
      <div className={styles.banners}>
        <ConnectionBanner />
        <AuthBanner />
      </div>
      <Sidebar className={styles.side} />
      <main id="main" className={styles.main} tabIndex={-1}>
        <CrashBoundary key={location}>
          <Suspense fallback={<Skeleton label={t('loading')} lines={6} />}>
            <Pages />
          </Suspense>
        </CrashBoundary>
      </main>
      <Overlays />
      <Notifier />
      <Announcer />
    </div>
  )
}

function Pages() {
  const { t } = useTranslation('app')
  return (
    <Switch>
      <Route path="/" component={NewTaskPage} />
      <Route path="/new" component={NewTaskPage} />
      <Route path="/sessions/:id/timeline">{({ id }) => <TimelinePage key={id} id={id} />}</Route>
      <Route path="/sessions/:id">{({ id }) => <SessionPage key={id} id={id} />}</Route>
      <Route path="/inbox" component={InboxPage} />
      <Route path="/projects" component={ProjectsPage} />
      <Route path="/projects/:id">
        {({ id }) => <ProjectPage key={id} id={projectIdIn(window.location.pathname)} />}
      </Route>
      <Route path="/agents" component={AgentsPage} />
      <Route path="/settings" component={SettingsPage} />
      <Route path="/settings/webhooks" component={WebhooksPage} />
      <Route path="/settings/webhooks/:id">{({ id }) => <WebhookPage key={id} id={id} />}</Route>
      <Route>
        <Page title={t('nothing_here')}>{t('nothing_here_hint')}</Page>
      </Route>
    </Switch>
  )
}
