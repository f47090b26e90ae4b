import { expect, test } from 'vitest'
import { within } from './within'

test('a path in the folder is shown from there', () => {
  expect(within('/home/me/shop', '/home/me/shop/src/a.py')).toBe('src/a.py')
  expect(within('/home/me/shop/', '/home/me/shop/a.py')).toBe('a.py')
})

test('everything else stays as it is', () => {
  for (const text of ['/home/me/shopping/a.py', '/home/me/shop', '/home/me/shop/', 'src/a.py', 'ls /home/me/shop/', ''])
    expect(within('/home/me/shop', text)).toBe(text)
})
