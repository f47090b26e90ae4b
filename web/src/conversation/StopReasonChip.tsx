// Why a run ended, as a chip: blue for success, red for all else [R108].
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Chip } from '@/ui/Chip'
import { stopReasonName } from './stopReason'

export function StopReasonChip({ reason }: { reason: string | null | undefined }) {
  const { t } = useTranslation('agent')
  const isSuccess = reason === 'success'
  return (
    <Chip
      data-stop={reason ?? 'unknown'}
      tone={isSuccess ? 'accent' : 'bad'}
      icon={isSuccess ? <CircleCheck aria-hidden="true" /> : <CircleAlert aria-hidden="true" />}
    >
      {t(`stop_reason.${stopReasonName(reason)}`)}
    </Chip>
  )
}
