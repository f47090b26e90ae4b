import { expect, test } from 'vitest'
import { projectIdIn, projectPath } from './address'

test.each(['shop', 'Ünïcode-项目', '100%/x', 'a b?c#d', '%41', 'a+b&c=d'])('the page of %j is its own', (id) => {
  const url = new URL(projectPath(id, '/srv/a b'), 'http://127.0.0.1')
  expect(projectIdIn(url.pathname)).toBe(id)
  expect(url.searchParams.get('folder')).toBe('/srv/a b')
})

test('an address that somebody has mistyped is taken as it stands', () => {
  expect(projectIdIn('/projects/100%')).toBe('100%')
})
