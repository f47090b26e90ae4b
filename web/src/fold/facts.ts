// What is known of the session beside its conversation, as it was last told.
import type { EventOf } from 'holdfast-client'
import type { Draft } from './draft'
import { changeRun } from './ends'
import type { Facts } from './model'
import { asObject, asText } from './values'

export function takeAgentStart(draft: Draft, { data, timestamp }: EventOf<'agent_start'>): void {
  changeRun(draft, { atWorkAt: timestamp })
  learn(draft, { agent: data.agent, model: data.model, mode: data.mode })
}

export function takeUsage(draft: Draft, { data }: EventOf<'usage'>): void {
  learn(draft, { contextUsed: data.used, contextSize: data.size, costUsd: data.cost_usd })
}

export function takeProfile(draft: Draft, { data }: EventOf<'profile_switch'>): void {
  learn(draft, { profile: data.profile_name })
}

/** The mode of an ACP agent, which may change by itself. */
export function takeMode(draft: Draft, { data }: EventOf<'agent_update'>): void {
  learn(draft, { mode: asText(asObject(data.update).currentModeId) ?? undefined })
}

/** What is not said stays as it was. */
function learn(draft: Draft, told: { [Name in keyof Facts]?: Facts[Name] | undefined }): void {
  const news = Object.entries(told).filter(
    ([name, value]) => value !== undefined && value !== draft.facts[name as keyof Facts],
  )
  if (news.length > 0) draft.facts = { ...draft.facts, ...Object.fromEntries(news) }
}
