// Whether an agent can be given a task, judged from what the server knows of it.
import type { AgentAccount, AgentInfo, AuthStatus } from 'holdfast-client'
import type { Tone } from '@/ui/Chip'

/** `answers`: it has said what it can do, but an ACP agent does not say whether it is logged in. */
export type AgentState = 'ready' | 'answers' | 'not_logged_in' | 'failed' | 'checking' | 'unchecked' | 'not_installed'

export const TONES: Readonly<Record<AgentState, Tone>> = {
  ready: 'good',
  answers: 'good',
  not_logged_in: 'bad',
  failed: 'bad',
  checking: 'neutral',
  unchecked: 'neutral',
  not_installed: 'neutral',
}

/** Built in: needs no program, no model and no account. */
export const DEMO = 'demo'
/** The one whose account the server asks for at its start. */
export const CLAUDE = 'claude'

export function stateOf(agent: AgentInfo, auth?: AuthStatus): AgentState {
  if (!agent.installed) return 'not_installed'
  if (agent.error) return 'failed'
  if (agent.name === DEMO) return 'ready'
  if (!agent.checked_at) {
    const isAsked = agent.name === CLAUDE
    if (isAsked && auth?.state === 'checking') return 'checking'
    return isAsked && auth?.state === 'failed' ? 'not_logged_in' : 'unchecked'
  }
  if (agent.kind === 'claude') return agent.account && hasCredential(agent.account) ? 'ready' : 'not_logged_in'
  return agent.auth_methods && agent.auth_methods.length > 0 ? 'answers' : 'ready'
}

/** As the server judges it: a credential of another provider is not Claude Code's to know. */
function hasCredential(account: AgentAccount): boolean {
  const sources = [account.token_source, account.api_key_source]
  if (sources.some((source) => source !== undefined && source !== 'none')) return true
  return account.api_provider !== undefined && account.api_provider !== 'firstParty'
}

/** "me@example.org · max · Example Ltd", as much of it as there is; otherwise where the credential comes from. */
export function accountLine(account: AgentAccount): string | null {
  const parts = [account.email, account.subscription_type, account.organization].filter((part) => part !== undefined)
  if (parts.length > 0) return parts.join(' · ')
  const source = [account.token_source, account.api_key_source].find((one) => one !== undefined && one !== 'none')
  return source ?? null
}

export interface AuthTrouble {
  kind: 'not_logged_in' | 'failed'
  /** The newest word about it, as the agent or the server said it. */
  message: string
  /** Names this finding: a new one is shown although an older one was put aside. */
  found: string
}

/** What is wrong with Claude Code's log-in; null if nothing is, if it is not known yet, or if it is not there. */
export function authTrouble(claude: AgentInfo | undefined, auth: AuthStatus | undefined): AuthTrouble | null {
  if (!claude?.installed) return null
  const isAskedSince = claude.checked_at !== undefined && claude.checked_at >= (auth?.checked_at ?? '')
  const state = stateOf(claude, auth)
  if (isAskedSince) {
    if (state !== 'failed' && state !== 'not_logged_in') return null
    return { kind: state, message: claude.error ?? auth?.message ?? '', found: claude.checked_at ?? '' }
  }
  if (auth?.state !== 'failed') return null
  return { kind: state === 'failed' ? 'failed' : 'not_logged_in', message: auth.message, found: auth.checked_at ?? '' }
}

/** Those that can be given a task, the default first; and the others. */
export function sorted(agents: readonly AgentInfo[]): { installed: AgentInfo[]; missing: AgentInfo[] } {
  const installed = agents.filter((agent) => agent.installed)
  return {
    installed: [...installed.filter((agent) => agent.default), ...installed.filter((agent) => !agent.default)],
    missing: agents.filter((agent) => !agent.installed),
  }
}

const CAPABILITIES = ['resume', 'load', 'fork', 'images', 'audio', 'embedded_context', 'mcp_http', 'mcp_sse'] as const
export type Ability = 'continue' | 'fork' | 'images' | 'audio' | 'files' | 'mcp'

/** What it can do, in the words that matter to whoever chooses it: two ways to continue are one. */
export function abilities(agent: AgentInfo): Ability[] {
  const can = agent.capabilities
  if (!can) return []
  const words: Record<(typeof CAPABILITIES)[number], Ability> = {
    resume: 'continue',
    load: 'continue',
    fork: 'fork',
    images: 'images',
    audio: 'audio',
    embedded_context: 'files',
    mcp_http: 'mcp',
    mcp_sse: 'mcp',
  }
  return [...new Set(CAPABILITIES.filter((name) => can[name]).map((name) => words[name]))]
}
