// What is typed into the form of a webhook: what is wrong with it, and what the server is told. Pure.
import { HoldfastError } from 'holdfast-client'
import { KINDS, type Kind, type Webhook, type WebhookBody, type WebhookChange } from './webhook'

export interface Draft {
  url: string
  events: readonly Kind[]
  description: string
  /** Empty: of all projects, and of none. */
  projectId: string
}

export type FieldName = 'url' | 'events' | 'description' | 'project_id'
export type Fault = 'missing' | 'no_url' | 'no_http' | 'no_events' | 'too_long'
export type Faults = Partial<Record<FieldName, Fault>>

const MOST_CHARACTERS = 500

export function draftOf(webhook: Webhook | undefined): Draft {
  return {
    url: webhook?.url ?? '',
    events: KINDS.filter((kind) => webhook?.events.includes(kind) ?? true),
    description: webhook?.description ?? '',
    projectId: webhook?.project_id ?? '',
  }
}

/** With or without one kind of event, in the order in which they are named everywhere. */
export function withEvent(draft: Draft, kind: Kind, isWanted: boolean): Draft {
  return { ...draft, events: KINDS.filter((one) => (one === kind ? isWanted : draft.events.includes(one))) }
}

/** What can be told without the server. It looks more closely. */
export function faultsOf({ url, events, description }: Draft): Faults {
  const faults: Faults = {}
  const address = url.trim()
  if (address === '') faults.url = 'missing'
  else if (!URL.canParse(address)) faults.url = 'no_url'
  else if (!/^https?:\/\//i.test(address)) faults.url = 'no_http'
  if (events.length === 0) faults.events = 'no_events'
  // The server counts characters, not their halves.
  if ([...description.trim()].length > MOST_CHARACTERS) faults.description = 'too_long'
  return faults
}

/** Which field a refusal is about, by what it names; null if it is about none of them. */
export function refusedField(error: unknown): FieldName | null {
  if (!(error instanceof HoldfastError) || error.code !== 'bad_request') return null
  const [, named] = /`\$\.(url|events|description|project_id)\b/.exec(error.detail) ?? []
  if (named) return named as FieldName
  if (/^(The url\b|Nothing is sent to the address\b)/.test(error.detail)) return 'url'
  return /^The project_id\b/.test(error.detail) ? 'project_id' : null
}

export function bodyOf({ url, events, description, projectId }: Draft): WebhookBody {
  return {
    url: url.trim(),
    events: [...events],
    description: description.trim(),
    ...(projectId !== '' && { project_id: projectId }),
  }
}

/** Only what is not as it was; null if all of it is. */
export function changeOf(webhook: Webhook, draft: Draft): WebhookChange | null {
  const { url, events, description } = bodyOf(draft)
  const change: WebhookChange = {}
  if (url !== webhook.url) change.url = url
  if (events && events.join() !== draftOf(webhook).events.join()) change.events = events
  if (description !== undefined && description !== (webhook.description ?? '')) change.description = description
  return Object.keys(change).length === 0 ? null : change
}
