// The composition root: builds the client, the feed and the logs, and renders the app.
import './style/base.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Holdfast, HoldfastError } from 'holdfast-client'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App'
import { ServicesProvider } from './app/Services'
import { applyTheme, storedTheme } from './app/theme'
import { keepFresh } from './data/refresh'
import { startI18n } from './i18n'
import { Feed } from './live/feed'
import { Logs } from './live/logs'

const ATTEMPTS = 3

/** What the server has refused it will refuse again; only what it could not do is worth another attempt. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  return failures < ATTEMPTS && !(error instanceof HoldfastError && error.status >= 400 && error.status < 500)
}

applyTheme(storedTheme())
await startI18n()

const client = new Holdfast()
const feed = new Feed(client)
const logs = new Logs(client, feed)
const cache = new QueryClient({
  defaultOptions: { queries: { retry: isWorthRetrying, staleTime: 10_000, refetchOnWindowFocus: false } },
})
keepFresh(feed, client, cache)
feed.start()

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={cache}>
      <ServicesProvider services={{ client, feed, logs }}>
        <App />
      </ServicesProvider>
    </QueryClientProvider>
  </StrictMode>,
)
