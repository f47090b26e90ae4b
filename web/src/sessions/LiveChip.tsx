// Whether what is on the screen is what happens now [R159–R163].
import { Wifi, WifiOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useConnection } from '@/live/hooks'
import { Chip } from '@/ui/Chip'

export function LiveChip() {
  const { t } = useTranslation('app')
  const { state } = useConnection()
  if (state === 'reconnecting') {
    return (
      <Chip tone="warn" icon={<WifiOff />}>
        {t('connection.reconnecting')}
      </Chip>
    )
  }
  if (state === 'error') {
    return (
      <Chip tone="bad" icon={<WifiOff />}>
        {t('connection.lost_short')}
      </Chip>
    )
  }
  if (state === 'streaming') {
    return (
      <Chip icon={<Wifi />} title={t('connection.live')}>
        {t('connection.live')}
      </Chip>
    )
  }
  return <Chip icon={<Wifi />}>{t('connection.starting')}</Chip>
}
