import { expect, test } from 'vitest'
import { endOfSentences, spoken } from './sentences'

test('only whole sentences count', () => {
  const text = 'I look at the file. It has 3.5 lines. And th'
  expect(text.slice(0, endOfSentences(text, 0))).toBe('I look at the file. It has 3.5 lines.')
})

test('what was said is not said again', () => {
  const text = 'One. Two. Three'
  const first = endOfSentences(text, 0)
  expect(endOfSentences(text, first)).toBe(first)
  expect(`${text}. `.slice(first, endOfSentences(`${text}. `, first))).toBe(' Three.')
})

test('a line is a sentence too', () => {
  expect(endOfSentences('- first\n- sec', 0)).toBe('- first\n'.length)
})

test('marks are not read aloud, and code is named', () => {
  expect(spoken('## Done\n\n- **bold** `x` [link](https://a.b)\n```js\nlet a\n```', 'code')).toBe(
    'Done bold x link code',
  )
})
