// An agent's state in a word.
import { useTranslation } from 'react-i18next'
import { Chip, Dot } from '@/ui/Chip'
import { type AgentState, TONES } from './state'

export function AgentStateChip({ state }: { state: AgentState }) {
  const { t } = useTranslation('agents')
  const tone = TONES[state]
  return (
    <Chip tone={tone} icon={<Dot tone={tone} pulsing={state === 'checking'} />}>
      {t(`state.${state}`)}
    </Chip>
  )
}
