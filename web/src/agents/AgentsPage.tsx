// Which agents there are: what each can do, whether it is logged in, and how to get those that are not here.
import { useTranslation } from 'react-i18next'
import { Problem } from '@/data/Problem'
import { Page } from '@/ui/Page'
import { Skeleton } from '@/ui/Skeleton'
import { AgentCard } from './AgentCard'
import styles from './AgentsPage.module.css'
import { MissingAgents } from './MissingAgents'
import { sorted } from './state'
import { useAgentStates } from './useAgentStates'

export function AgentsPage() {
  const { t } = useTranslation('agents')
  const { agents, error, stateOf } = useAgentStates()
  const { installed, missing } = sorted(agents ?? [])
  return (
    <Page title={t('title')} intro={t('intro')}>
      <Problem error={error} />
      {!agents && !error && <Skeleton label={t('loading')} lines={6} />}
      {installed.length > 0 && (
        <ul className={styles.cards} aria-label={t('installed')}>
          {installed.map((agent) => (
            <li key={agent.name}>
              <AgentCard agent={agent} state={stateOf(agent)} />
            </li>
          ))}
        </ul>
      )}
      <MissingAgents agents={missing} />
    </Page>
  )
}
