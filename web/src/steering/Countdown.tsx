// How long a request still waits, and what becomes of it then.
import { Timer } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useNow } from '@/app/useNow'
import { useProfiles } from '@/data/server'
import { useFormat } from '@/i18n/format'
import styles from './Countdown.module.css'

// Below this the seconds count: somebody may want to hurry.
const SOON_MS = 60_000

export function Countdown({ expiresAt, kind }: { expiresAt: string; kind: 'permission' | 'question' }) {
  const { t } = useTranslation('steering')
  const format = useFormat()
  const now = useNow(1000)
  const outcome = useOutcome(kind)
  const seconds = Math.ceil((Date.parse(expiresAt) - now) / 1000)
  if (!Number.isFinite(seconds)) return null
  const left = seconds * 1000
  const time = seconds < 10 ? `${seconds} s` : format.duration(left)
  return (
    <p className={`${styles.countdown} ${left < SOON_MS ? styles.soon : ''}`}>
      <Timer aria-hidden="true" />
      {/* A fixed width for digits, so that the words behind them stand still. */}
      <span>{left > 0 ? t(`expiry.${outcome}`, { time }) : t('expiry.over')}</span>
    </p>
  )
}

/** Which profile counts is not told to clients; but if all of them deny, this one does too. */
function useOutcome(kind: 'permission' | 'question'): 'denied' | 'declined' | 'decided' {
  const { data: profiles } = useProfiles()
  if (kind === 'question') return 'declined'
  return profiles?.length && profiles.every(({ fallback }) => fallback === 'deny') ? 'denied' : 'decided'
}
