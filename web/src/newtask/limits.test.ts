import { describe, expect, test } from 'vitest'
import { readLimits, readNumber } from './limits'

describe('a number as it was typed', () => {
  test.each([
    ['0.5', 'en', 0.5],
    ['0.5', 'de', 0.5],
    ['0,5', 'de', 0.5],
    ['0,5', 'en', 0.5],
    [' 12 ', 'de', 12],
    ['1,000', 'en', 1000],
    ['1,000', 'de', 1],
    ['1.000', 'de', 1000],
    ['1.000', 'en', 1],
    ['1 000', 'de', 1000],
    ['1.234,5', 'de', 1234.5],
    ['1,234.5', 'en', 1234.5],
    ['0.500', 'de', 0.5],
  ])('%j in %s is %d', (text, language, number) => {
    expect(readNumber(text, language)).toBe(number)
  })

  test.each(['', 'ten', '1e3', '0x10', '-1', '1.2.3', '1,2,3', '$5', 'NaN', 'Infinity'])('%j is none', (text) => {
    expect(readNumber(text, 'en')).toBeNull()
    expect(readNumber(text, 'de')).toBeNull()
  })
})

describe('limits', () => {
  test('minutes become seconds, and megabytes bytes', () => {
    const texts = {
      max_turns: '30',
      max_budget_usd: '2,5',
      timeout_s: '1.5',
      idle_s: '10',
      max_output_bytes: '0.5',
      max_memory_mb: '2048',
    }
    expect(readLimits(texts, 'de')).toEqual({
      values: {
        max_turns: 30,
        max_budget_usd: 2.5,
        timeout_s: 90,
        idle_s: 600,
        max_output_bytes: 500_000,
        max_memory_mb: 2048,
      },
      faults: {},
    })
  })

  test('an empty field is no limit', () => {
    expect(readLimits({ max_turns: '', timeout_s: '  ' }, 'en')).toEqual({ values: {}, faults: {} })
  })

  test('what the server would refuse is said at the field', () => {
    const texts = { max_turns: '1.5', max_budget_usd: '0', timeout_s: 'soon', idle_s: '99999999' }
    expect(readLimits(texts, 'en')).toEqual({
      values: {},
      faults: { max_turns: 'not_whole', max_budget_usd: 'too_small', timeout_s: 'no_number', idle_s: 'too_large' },
    })
  })
})
