import { describe, expect, test } from 'vitest'
import { isWrong, nextPath, tokenIn } from './next'

const ORIGIN = 'http://127.0.0.1:4653'
const next = (path: string) => nextPath(`?next=${encodeURIComponent(path)}`, ORIGIN)

describe('after the log-in', () => {
  test('one comes back to the page where one was, with its query and place', () => {
    expect(next('/sessions/abc#e12')).toBe('/sessions/abc#e12')
    expect(next('/projects/my%20shop?folder=%2Fsrv')).toBe('/projects/my%20shop?folder=%2Fsrv')
  })

  test('without a page it is the first one', () => {
    expect(nextPath('', ORIGIN)).toBe('/')
    expect(nextPath('?wrong=1', ORIGIN)).toBe('/')
    expect(next('')).toBe('/')
  })

  test.each([
    'https://evil.example/',
    '//evil.example/x',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n\\evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    'sessions/abc',
    '\\\\evil.example',
  ])('nobody is sent elsewhere by %j', (path) => {
    expect(next(path)).toBe('/')
  })

  test('the log-in does not lead to itself', () => {
    expect(next('/login?next=/login')).toBe('/')
  })

  test('a wrong token of the address is noticed', () => {
    expect(isWrong('?wrong=1')).toBe(true)
    expect(isWrong('?next=/x')).toBe(false)
  })
})

test('the address that the server printed may be pasted whole', () => {
  expect(tokenIn('http://127.0.0.1:4653/?token=abc%2Bd&x=1#y')).toBe('abc+d')
  expect(tokenIn('  abc-def \n')).toBe('abc-def')
  expect(tokenIn('')).toBe('')
})
