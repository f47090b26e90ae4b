import { expect, test } from 'vitest'
import { resources } from './index'

function keysOf(texts: object, prefix = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null ? keysOf(value, `${prefix}${key}.`) : [`${prefix}${key}`],
  )
}

function textsOf(texts: object): string[] {
  return Object.values(texts).flatMap((value) =>
    typeof value === 'object' && value !== null ? textsOf(value) : [String(value)],
  )
}

const { en, de } = resources()

test('both languages have the same namespaces', () => {
  expect(Object.keys(de).sort()).toEqual(Object.keys(en).sort())
  expect(Object.keys(en).length).toBeGreaterThan(3)
})

test.each(Object.keys(en))('both languages have the same keys in %s [R112]', (namespace) => {
  expect(keysOf(de[namespace] ?? {}).sort()).toEqual(keysOf(en[namespace] ?? {}).sort())
})

test('no text is empty, and the values that are put in are the same in both', () => {
  const values = (text: string) => [...text.matchAll(/\{\{(\w+)/g)].map(([, name]) => name).sort()
  for (const namespace of Object.keys(en)) {
    const english = textsOf(en[namespace] ?? {})
    const german = textsOf(de[namespace] ?? {})
    for (const text of [...english, ...german]) expect(text.trim(), namespace).not.toBe('')
    const keys = keysOf(en[namespace] ?? {})
    english.forEach((text, place) => {
      expect(
        values(german[keysOf(de[namespace] ?? {}).indexOf(keys[place] ?? '')] ?? ''),
        `${namespace}:${keys[place]}`,
      ).toEqual(values(text))
    })
  }
})

test('German is written with umlauts, not with their substitutes', () => {
  for (const [namespace, texts] of Object.entries(de)) {
    for (const text of textsOf(texts))
      expect(text, namespace).not.toMatch(/\b(fuer|ueber|koennen|waehlen|zurueck|moechte)\b/i)
  }
})
