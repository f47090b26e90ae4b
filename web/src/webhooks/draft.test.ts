import { HoldfastError } from 'holdfast-client'
import { expect, test } from 'vitest'
import { bodyOf, changeOf, type Draft, draftOf, faultsOf, refusedField, withEvent } from './draft'
import { KINDS, type Webhook } from './webhook'

const DRAFT: Draft = { ...draftOf(undefined), url: 'https://example.test/hook' }
const WEBHOOK: Webhook = {
  id: 'wh_1',
  url: 'https://example.test/hook',
  events: ['run.ended', 'run.stalled'],
  active: true,
  secret_hint: 'whsec_…abcd',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
}
const refusal = (detail: string, code: HoldfastError['code'] = 'bad_request') =>
  new HoldfastError({ code, status: 400, title: 'Bad request', detail })

test('a new webhook is told everything, unless somebody says otherwise', () => {
  expect(DRAFT.events).toEqual(KINDS)
  expect(faultsOf(DRAFT)).toEqual({})
})

test.each([
  ['', 'missing'],
  ['  ', 'missing'],
  ['example.test/hook', 'no_url'],
  ['http://', 'no_url'],
  ['ftp://example.test/', 'no_http'],
  ['javascript:alert(1)', 'no_http'],
  [' HTTPS://example.test/ ', undefined],
  ['http://[::1]:9000/', undefined],
])('of the address %j the form says %s', (url, fault) => {
  expect(faultsOf({ ...DRAFT, url }).url).toBe(fault)
})

test('at least one kind of event is to be told, and a description has an end', () => {
  expect(faultsOf({ ...DRAFT, events: [] })).toEqual({ events: 'no_events' })
  expect(faultsOf({ ...DRAFT, description: '🎉'.repeat(500) })).toEqual({})
  expect(faultsOf({ ...DRAFT, description: 'x'.repeat(501) })).toEqual({ description: 'too_long' })
})

test('events keep their order, whatever the order in which they are chosen', () => {
  const without = withEvent(DRAFT, 'run.ended', false)
  expect(without.events).toEqual(KINDS.slice(1))
  expect(withEvent(without, 'run.ended', true).events).toEqual(KINDS)
  expect(withEvent(DRAFT, 'run.ended', true).events).toEqual(KINDS)
})

test.each([
  ["The url 'x' must begin with http:// or https://", 'url'],
  ['Nothing is sent to the address 169.254.169.254: it is link-local', 'url'],
  ['Expected `str`, got `int` - at `$.url`', 'url'],
  ['Expected `array` of length >= 1 - at `$.events`', 'events'],
  ["Invalid enum value 'run.begun' - at `$.events[...]`", 'events'],
  ["Expected `str` matching regex '^[^\\\\x00]*$' - at `$.description`", 'description'],
  ['The project_id is empty', 'project_id'],
  ['There are 100 webhooks, and there can be no more; delete one first', null],
])('the refusal %j is about %s', (detail, field) => {
  expect(refusedField(refusal(detail))).toBe(field)
})

test('what is no refusal of the values is about no field', () => {
  expect(refusedField(refusal("The url 'x' is gone", 'not_found'))).toBeNull()
  expect(refusedField(new Error('The url'))).toBeNull()
  expect(refusedField(null)).toBeNull()
})

test('the server is told what was typed, without blanks around it', () => {
  expect(bodyOf({ ...DRAFT, url: ' https://example.test/ ', description: ' The bell ' })).toEqual({
    url: 'https://example.test/',
    events: KINDS,
    description: 'The bell',
  })
  expect(bodyOf({ ...DRAFT, projectId: 'shop' }).project_id).toBe('shop')
})

test('a change names only what is not as it was', () => {
  const draft = draftOf(WEBHOOK)
  expect(changeOf(WEBHOOK, draft)).toBeNull()
  expect(changeOf(WEBHOOK, { ...draft, url: ` ${WEBHOOK.url} `, description: ' ' })).toBeNull()
  expect(changeOf(WEBHOOK, { ...draft, description: 'The bell' })).toEqual({ description: 'The bell' })
  expect(changeOf({ ...WEBHOOK, description: 'The bell' }, draft)).toEqual({ description: '' })
  expect(changeOf(WEBHOOK, withEvent(draft, 'run.stalled', false))).toEqual({ events: ['run.ended'] })
  expect(changeOf(WEBHOOK, { ...draft, url: 'https://other.test/' })).toEqual({ url: 'https://other.test/' })
})
