import { expect, test } from 'vitest'
import { isOutside, pathBelow, shownFiles } from './files'

const listed = (path: string) => ({ path, size: 3, modified_at: '2026-01-05T12:00:00.000Z' })
const edited = (path: string) => ({ path, added: 2, removed: 1, changes: [] })

test('what the conversation edits and the server lists is one file', () => {
  const files = shownFiles([listed('src/a.py'), listed('b.txt')], [edited('/home/me/shop/src/a.py')], '/home/me/shop')
  expect(files).toEqual([
    {
      path: 'src/a.py',
      folder: 'src/',
      name: 'a.py',
      onDisk: listed('src/a.py'),
      edits: edited('/home/me/shop/src/a.py'),
    },
    { path: 'b.txt', folder: '', name: 'b.txt', onDisk: listed('b.txt'), edits: null },
  ])
})

test('a file that was edited and is gone is still shown', () => {
  expect(shownFiles([], [edited('gone.txt')], '/w')).toMatchObject([{ path: 'gone.txt', onDisk: null }])
})

test('paths are named from the workspace, however they were written', () => {
  expect(pathBelow('/w/a/b', '/w')).toBe('a/b')
  expect(pathBelow('/w/a/b', '/w/')).toBe('a/b')
  expect(pathBelow('./a', '/w')).toBe('a')
  expect(pathBelow('/other/a', '/w')).toBe('/other/a')
  expect(pathBelow('/web/a', '/w')).toBe('/web/a')
})

test('a path outside of the workspace is known for one', () => {
  expect(isOutside('/etc/hosts')).toBe(true)
  expect(isOutside('../x')).toBe(true)
  expect(isOutside('a/..b/c')).toBe(false)
})
