import type { AgentInfo, AuthStatus } from 'holdfast-client'
import { describe, expect, test } from 'vitest'
import { abilities, accountLine, authTrouble, sorted, stateOf } from './state'

function agent(some: Partial<AgentInfo>): AgentInfo {
  return {
    name: 'x',
    title: 'X',
    kind: 'acp',
    installed: true,
    configured: false,
    default: false,
    command: [],
    ...some,
  }
}
const claude = (some: Partial<AgentInfo>) => agent({ name: 'claude', title: 'Claude Code', kind: 'claude', ...some })
const EARLY = '2026-01-05T12:00:00.000Z'
const LATE = '2026-01-05T13:00:00.000Z'
const failed: AuthStatus = { state: 'failed', message: 'not logged in', checked_at: EARLY }

describe("an agent's state", () => {
  test('the demo agent is ready as it is', () => {
    expect(stateOf(agent({ name: 'demo' }))).toBe('ready')
  })

  test('one whose program is missing is not installed, whatever else is known', () => {
    expect(stateOf(agent({ installed: false, error: 'X is not installed' }))).toBe('not_installed')
  })

  test('nobody has asked it yet', () => {
    expect(stateOf(agent({}))).toBe('unchecked')
    expect(stateOf(claude({}), { state: 'unchecked', message: '' })).toBe('unchecked')
  })

  test('the check at boot counts for Claude Code, and for no other', () => {
    expect(stateOf(claude({}), { state: 'checking', message: '' })).toBe('checking')
    expect(stateOf(claude({}), failed)).toBe('not_logged_in')
    expect(stateOf(agent({}), failed)).toBe('unchecked')
  })

  test('an agent of another protocol answers, but does not say whether it is logged in', () => {
    expect(stateOf(agent({ checked_at: EARLY, auth_methods: [{ id: 'a', name: 'A' }] }))).toBe('answers')
    expect(stateOf(agent({ checked_at: EARLY }))).toBe('ready')
  })

  test('Claude Code is logged in if it has a credential from anywhere', () => {
    const checked = (account: AgentInfo['account']) =>
      stateOf(claude({ checked_at: EARLY, ...(account && { account }) }))
    expect(checked({ token_source: 'none', api_key_source: 'none', api_provider: 'firstParty' })).toBe('not_logged_in')
    expect(checked({})).toBe('not_logged_in')
    expect(checked(undefined)).toBe('not_logged_in')
    expect(checked({ email: 'me@example.org', token_source: 'claude.ai' })).toBe('ready')
    expect(checked({ api_key_source: 'ANTHROPIC_API_KEY' })).toBe('ready')
    expect(checked({ api_provider: 'bedrock' })).toBe('ready')
  })

  test('one that did not answer has failed', () => {
    expect(stateOf(agent({ checked_at: EARLY, error: 'X exited with status 1' }))).toBe('failed')
  })
})

describe('trouble with the log-in of Claude Code', () => {
  test('is told if the check at boot failed', () => {
    expect(authTrouble(claude({}), failed)).toMatchObject({ kind: 'not_logged_in', message: 'not logged in' })
  })

  test('is over once a later check has found a credential', () => {
    const now = claude({ checked_at: LATE, account: { email: 'me@example.org', token_source: 'claude.ai' } })
    expect(authTrouble(now, failed)).toBeNull()
  })

  test('begins if a later check finds none, and is another finding than the first', () => {
    const now = claude({ checked_at: LATE, account: { token_source: 'none' } })
    expect(authTrouble(now, { state: 'ok', message: '', checked_at: EARLY })).toMatchObject({ kind: 'not_logged_in' })
    expect(authTrouble(now, failed)?.found).not.toBe(authTrouble(claude({}), failed)?.found)
  })

  test('is none while nobody knows, and where Claude Code is not installed', () => {
    expect(authTrouble(claude({}), undefined)).toBeNull()
    expect(authTrouble(claude({}), { state: 'checking', message: '' })).toBeNull()
    expect(authTrouble(claude({ installed: false }), failed)).toBeNull()
    expect(authTrouble(undefined, failed)).toBeNull()
  })
})

test('the account is named as far as it is known, else by where its credential is', () => {
  expect(accountLine({ email: 'me@example.org', subscription_type: 'max', organization: 'Example' })).toBe(
    'me@example.org · max · Example',
  )
  expect(accountLine({ token_source: 'none', api_key_source: 'ANTHROPIC_API_KEY' })).toBe('ANTHROPIC_API_KEY')
  expect(accountLine({ token_source: 'none' })).toBeNull()
})

test('abilities that mean the same to a person are named once', () => {
  expect(abilities(agent({ capabilities: { load: true, resume: true, mcp_http: true, mcp_sse: true } }))).toEqual([
    'continue',
    'mcp',
  ])
  expect(abilities(agent({}))).toEqual([])
})

test('the default comes first, and what is not installed apart', () => {
  const agents = [agent({ name: 'a' }), agent({ name: 'b', default: true }), agent({ name: 'c', installed: false })]
  const { installed, missing } = sorted(agents)
  expect(installed.map(({ name }) => name)).toEqual(['b', 'a'])
  expect(missing.map(({ name }) => name)).toEqual(['c'])
})
