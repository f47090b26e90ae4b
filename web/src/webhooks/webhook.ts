// A webhook as the API tells it, and how it stands. Pure.
// The client has no names for these shapes, so they are taken from the same document as all of its own.
import type { components } from '../../../clients/typescript/src/api.generated'

type Schemas = components['schemas']
/** What the server answers: a field that is not set is absent, never null. */
type Answered<T> = { [Name in keyof T]: Exclude<T[Name], null> }

export type Webhook = Answered<Schemas['Webhook']>
export type Delivery = Answered<Schemas['Delivery']>
export type DeliveryPage = Omit<Answered<Schemas['DeliveryList']>, 'deliveries'> & { deliveries: Delivery[] }
export type WebhookBody = Answered<Schemas['WebhookBody']>
export type WebhookChange = Answered<Schemas['WebhookChange']>
export type Kind = NonNullable<WebhookBody['events']>[number]

/** Everything that can be told, in the order in which the screens name it. */
export const KINDS: readonly Kind[] = ['run.ended', 'permission.requested', 'question.asked', 'run.stalled']

export type WebhookState = 'active' | 'failing' | 'paused' | 'disabled'

export const STATE_TONES = { active: 'good', failing: 'warn', paused: 'neutral', disabled: 'bad' } as const

/** `paused`: somebody wanted it so. `disabled`: nobody did, and `webhook.disabled` says why. */
export function stateOf({ active, disabled, failing_since }: Webhook): WebhookState {
  if (!active) return disabled === undefined ? 'paused' : 'disabled'
  return failing_since === undefined ? 'active' : 'failing'
}

/** What it is called on the screen: its description, else where it leads. */
export function nameOf({ description, url }: Webhook): string {
  return description?.trim() || shortAddress(url)
}

/** Host and path. What stands behind the question mark is often a key, and nobody knows an address by it. */
export function shortAddress(url: string): string {
  if (!URL.canParse(url)) return url
  const { host, pathname } = new URL(url)
  return host + (pathname === '/' ? '' : pathname)
}

export function webhookPath(id: string): string {
  return `/settings/webhooks/${encodeURIComponent(id)}`
}
