// How a webhook stands, in a word.
import { useTranslation } from 'react-i18next'
import { Chip, Dot } from '@/ui/Chip'
import { STATE_TONES, stateOf, type Webhook } from './webhook'

export function StateChip({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks')
  const state = stateOf(webhook)
  const tone = STATE_TONES[state]
  return (
    <Chip tone={tone} icon={<Dot tone={tone} />} data-state={state}>
      {t(`state.${state}`)}
    </Chip>
  )
}
