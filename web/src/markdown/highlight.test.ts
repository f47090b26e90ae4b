// Colours of code: nothing of the code is lost, and unknown languages have none.
import { expect, test } from 'vitest'
import { colored } from './highlight'
import { lowlight } from './languages'

test('the pieces are the code', () => {
  const code = 'async def f(a: int):\n    """Say `it`."""\n    return "x" + str(1)  # why\n'
  const pieces = colored(lowlight, code, 'python')!
  expect(pieces.map(({ text }) => text).join('')).toBe(code)
  expect(pieces.find(({ text }) => text.includes('async'))?.color).toBe('keyword')
  expect(pieces.find(({ text }) => text === '# why')?.color).toBe('comment')
})

test.each(['ts', 'tsx', 'js', 'py', 'sh', 'rs', 'yml', 'html', 'toml', 'cpp', 'jsonc', 'c++'])(
  '%s has colours',
  (name) => {
    expect(colored(lowlight, 'x = 1', name)).not.toBeNull()
  },
)

test('an unknown language and a very long code have none', () => {
  expect(colored(lowlight, 'x', 'klingon')).toBeNull()
  expect(colored(lowlight, 'x'.repeat(30_000), 'js')).toBeNull()
})
