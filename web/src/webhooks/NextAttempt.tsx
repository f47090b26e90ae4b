// When a delivery is sent, or what it waits for.
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { nextOf } from './delivery'
import type { Delivery } from './webhook'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

export function NextAttempt({ delivery, isActive, now }: { delivery: Delivery; isActive: boolean; now: number }) {
  const { t } = useTranslation('webhooks')
  const format = useFormat()
  const next = nextOf(delivery, isActive, now)
  if (next === null) return null
  if (typeof next === 'string') return <span>{t(`next.${next}`)}</span>
  // Far away, the time of day says more than a countdown.
  if (next >= HOUR_MS) return <span>{t('next.at', { time: format.dateTime(new Date(now + next).toISOString()) })}</span>
  const seconds = Math.ceil(next / 1000)
  const time = next < MINUTE_MS ? `${seconds} s` : format.duration(seconds * 1000)
  return <span>{t('next.in', { time })}</span>
}
