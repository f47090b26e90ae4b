import { expect, test } from 'vitest'
import { NO_CHOICES } from './choices'
import { sound } from './draft'

test('a stored draft of another version is taken as far as it fits', () => {
  expect(sound(null)).toEqual(NO_CHOICES)
  expect(sound('x')).toEqual(NO_CHOICES)
  expect(sound({ agent: 'claude', limits: null, settingSources: {}, unattended: 'yes', unknown: 1 })).toEqual({
    ...NO_CHOICES,
    agent: 'claude',
  })
})
