import { expect, test } from 'vitest'
import { fitting, into, typed } from './folders'

test.each([
  ['', '~', ''],
  ['~', '~', ''],
  ['~/sr', '~', 'sr'],
  ['/', '/', ''],
  ['/ho', '/', 'ho'],
  ['/home/me', '/home', 'me'],
  ['/home/me/', '/home/me', ''],
  ['shop', '~', 'shop'],
])('%j is looked for in %s', (path, base, prefix) => {
  expect(typed(path)).toEqual({ base, prefix })
})

test('case does not matter, but what is in the same case comes first', () => {
  expect(fitting(['Docs', 'dev', 'src', 'Documents'], 'd')).toEqual(['dev', 'Docs', 'Documents'])
  expect(fitting(['a', 'b'], '')).toEqual(['a', 'b'])
})

test('going into a folder ends with a slash, also from the root', () => {
  expect(into('/', 'srv')).toBe('/srv/')
  expect(into('/srv', 'shop')).toBe('/srv/shop/')
})
