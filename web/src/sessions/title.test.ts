import { expect, test } from 'vitest'
import { titleOf } from './title'

test('a title is the first line with something to see in it', () => {
  expect(titleOf('\n  \u200b\n  Fix the tests  \nand the docs')).toBe('Fix the tests')
  expect(titleOf('?')).toBe('?')
  expect(titleOf('🦊')).toBe('🦊')
})

test('a task without anything to see has a title all the same', () => {
  expect(titleOf(' \u200b\n\u00a0')).toBe('…')
})

test('a long title is cut, but not within a character', () => {
  expect(titleOf('x'.repeat(200))).toBe(`${'x'.repeat(140)}…`)
  expect(titleOf(`${'x'.repeat(139)}🦊🦊`)).toBe(`${'x'.repeat(139)}…`)
})
