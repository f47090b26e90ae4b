import { expect, test } from 'vitest'
import { without } from './useDraft'

test('what was sent leaves the draft', () => {
  expect(without('fix the tests', 'fix the tests')).toBe('')
})

test('what was written on while it was under way stays', () => {
  expect(without('fix the tests\nand the docs', 'fix the tests')).toBe('and the docs')
})

test('a draft that was begun anew meanwhile stays as it is', () => {
  expect(without('something else', 'fix the tests')).toBe('something else')
})
