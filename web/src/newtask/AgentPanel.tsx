// Who does it: the agents that are installed, each with its state; how to get one that is not ready there.

import type { AgentInfo } from 'holdfast-client'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoginDialog } from '@/agents/LoginDialog'
import { MissingAgents } from '@/agents/MissingAgents'
import { type AgentState, accountLine, DEMO, sorted, TONES } from '@/agents/state'
import { Problem } from '@/data/Problem'
import { useCheckAgent } from '@/data/server'
import { Button } from '@/ui/Button'
import { Dot } from '@/ui/Chip'
import { RadioCards } from '@/ui/RadioCards'
import { Skeleton } from '@/ui/Skeleton'
import styles from './Panel.module.css'

export interface AgentPanelProps {
  agents: readonly AgentInfo[] | undefined
  error: unknown
  chosen: AgentInfo | undefined
  stateOf(agent: AgentInfo): AgentState
  onChoose(name: string): void
}

export function AgentPanel({ agents, error, chosen, stateOf, onChoose }: AgentPanelProps) {
  const { t } = useTranslation(['newtask', 'agents'])
  const check = useCheckAgent()
  const [isLoginOpen, setLoginOpen] = useState(false)
  const { installed, missing } = sorted(agents ?? [])
  const state = chosen && stateOf(chosen)
  const account = chosen?.account && accountLine(chosen.account)

  if (!agents) return error ? <Problem error={error} /> : <Skeleton label={t('agents:loading')} />
  return (
    <>
      <RadioCards
        legend={t('bar.agent')}
        hiddenLegend
        value={chosen?.name ?? ''}
        options={installed.map((agent) => {
          const shown = check.isPending && check.variables === agent.name ? 'checking' : stateOf(agent)
          return {
            value: agent.name,
            title: (
              <>
                {agent.title} {agent.version && <small className={styles.faint}>{agent.version}</small>}
              </>
            ),
            text: (
              <>
                <Dot tone={TONES[shown]} pulsing={shown === 'checking'} /> {t(`agents:state.${shown}`)}
              </>
            ),
          }
        })}
        onChange={onChoose}
      />
      {chosen && state && (
        <div className={styles.row}>
          <p className={styles.hint}>
            {state === 'ready' && account ? `${t('agents:account')} ${account}` : t(hintOf(chosen, state))}
          </p>
          {state !== 'ready' && chosen.login && (
            <Button size="s" tone="quiet" onClick={() => setLoginOpen(true)}>
              {t('agents:banner.how')}
            </Button>
          )}
          {chosen.name !== DEMO && (
            <Button size="s" icon={<RefreshCw />} busy={check.isPending} onClick={() => check.mutate(chosen.name)}>
              {t('agents:check')}
            </Button>
          )}
        </div>
      )}
      {chosen?.error && (
        <p className={styles.bad} lang="en">
          {chosen.error}
        </p>
      )}
      <Problem error={check.error} />
      <MissingAgents agents={missing} />
      {chosen && isLoginOpen && (
        <LoginDialog
          agent={chosen}
          checking={check.isPending}
          onCheck={() => check.mutate(chosen.name)}
          onClose={() => setLoginOpen(false)}
        />
      )}
    </>
  )
}

function hintOf(agent: AgentInfo, state: AgentState): string {
  if (state === 'answers' || state === 'unchecked' || state === 'not_logged_in') return `agents:hint.${state}`
  return `agents:about.${agent.name === DEMO ? DEMO : agent.kind}`
}
