// The agents with their states, as pages show them.
import type { AgentInfo } from 'holdfast-client'
import { useAgents, useHealth } from '@/data/server'
import { type AgentState, CLAUDE, stateOf } from './state'

export function useAgentStates() {
  const agents = useAgents()
  const health = useHealth()
  const auth = health.data?.agent_auth
  return {
    agents: agents.data,
    error: agents.error,
    stateOf: (agent: AgentInfo): AgentState => stateOf(agent, auth),
    claude: agents.data?.find((agent) => agent.name === CLAUDE),
    auth,
  }
}
