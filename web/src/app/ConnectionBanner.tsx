// Says across the page that the stream is down: amber while it is being mended, red with a button when it was given up.
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useConnection } from '@/live/hooks'
import { Banner } from '@/ui/Banner'
import { Button } from '@/ui/Button'
import { announce } from './announce'
import { useServices } from './Services'
import { useNow } from './useNow'

export function ConnectionBanner() {
  const { t } = useTranslation('app')
  const { feed } = useServices()
  const connection = useConnection()
  const { state, attempt, retryAt, reason, isUnauthorized } = connection
  useNow(state === 'reconnecting' ? 1000 : null)

  useEffect(() => {
    if (state === 'reconnecting' && attempt <= 1) announce(t('connection.reconnecting'))
    if (state === 'error') announce(t('connection.lost'))
  }, [state, attempt, t])

  if (state === 'reconnecting') {
    const seconds = retryAt ? Math.max(0, Math.ceil((retryAt - Date.now()) / 1000)) : 0
    return (
      <Banner
        tone="warn"
        testId="connection"
        actions={
          <Button size="s" onClick={feed.retryNow}>
            {t('connection.now')}
          </Button>
        }
      >
        <strong>{t('connection.reconnecting')}</strong>{' '}
        {seconds > 0
          ? t('connection.attempt_in', { attempt, seconds })
          : t('connection.attempt', { attempt: Math.max(1, attempt) })}
      </Banner>
    )
  }
  if (state === 'error' && !isUnauthorized) {
    return (
      <Banner
        tone="bad"
        testId="connection"
        actions={
          <Button size="s" tone="primary" onClick={feed.retryNow}>
            {t('connection.reconnect')}
          </Button>
        }
      >
        <strong>{t('connection.lost')}</strong> {t('connection.lost_hint')} {reason && <span>({reason})</span>}
      </Banner>
    )
  }
  return null
}
