// The panel that is open below the line of choices.
import { AgentPanel } from './AgentPanel'
import type { Panel } from './ChoiceBar'
import type { Choices } from './choices'
import { MorePanel } from './MorePanel'
import { PlacePanel } from './PlacePanel'
import { ProfilePanel } from './ProfilePanel'
import type { ChosenHandle } from './useChosen'

export interface OpenPanelProps {
  panel: Panel
  choices: Choices
  chosen: ChosenHandle
  onChoose(some: Partial<Choices>): void
}

export function OpenPanel({ panel, choices, chosen, onChoose }: OpenPanelProps) {
  if (panel === 'agent') {
    return (
      <AgentPanel
        agents={chosen.agents}
        error={chosen.agentsError}
        chosen={chosen.agent}
        stateOf={chosen.stateOf}
        // Another agent has other models.
        onChoose={(agent) => onChoose({ agent, model: '' })}
      />
    )
  }
  if (panel === 'place') return <PlacePanel choices={choices} onChoose={onChoose} />
  if (panel === 'profile') {
    return (
      <ProfilePanel
        profiles={chosen.profiles}
        error={chosen.profilesError}
        chosen={chosen.profile}
        onChoose={(profile) => onChoose({ profile })}
      />
    )
  }
  return <MorePanel agent={chosen.agent} choices={choices} read={chosen.limits} onChoose={onChoose} />
}
