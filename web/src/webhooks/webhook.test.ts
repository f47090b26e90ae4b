import { expect, test } from 'vitest'
import { nameOf, shortAddress, stateOf, type Webhook } from './webhook'

const WEBHOOK: Webhook = {
  id: 'wh_1',
  url: 'https://example.test/hook',
  events: ['run.ended'],
  active: true,
  secret_hint: 'whsec_…abcd',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
}
const SINCE = '2026-01-02T00:00:00Z'

test.each([
  ['active', {}],
  ['failing', { failing_since: SINCE }],
  ['paused', { active: false }],
  ['paused', { active: false, failing_since: SINCE }],
  ['disabled', { active: false, disabled: 'The receiver answered 410: it is gone for good' }],
] as const)('a webhook is %s', (state, fields) => {
  expect(stateOf({ ...WEBHOOK, ...fields })).toBe(state)
})

test('a webhook is called by its description, or by where it leads', () => {
  expect(nameOf({ ...WEBHOOK, description: 'The bell' })).toBe('The bell')
  expect(nameOf({ ...WEBHOOK, description: ' \n' })).toBe('example.test/hook')
  expect(nameOf(WEBHOOK)).toBe('example.test/hook')
})

test.each([
  ['https://example.test/', 'example.test'],
  ['http://127.0.0.1:9000/a/b', '127.0.0.1:9000/a/b'],
  ['https://user:password@example.test/hook?key=secret#x', 'example.test/hook'],
  ['no address', 'no address'],
])('of %j the screen shows %j, without a credential', (url, shown) => {
  expect(shortAddress(url)).toBe(shown)
})
