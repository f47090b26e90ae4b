// How far a run may go: what was typed, read as a person of that language means it, and turned into what the server takes.

export const LIMITS = [
  { name: 'max_turns', factor: 1, whole: true, most: 1_000_000 },
  { name: 'max_budget_usd', factor: 1, whole: false, most: 1_000_000 },
  { name: 'timeout_s', factor: 60, whole: false, most: 31_536_000 },
  { name: 'idle_s', factor: 60, whole: false, most: 31_536_000 },
  { name: 'max_output_bytes', factor: 1_000_000, whole: false, most: 1e15 },
  { name: 'max_memory_mb', factor: 1, whole: true, most: 1e15 },
] as const

export type LimitName = (typeof LIMITS)[number]['name']
export type LimitTexts = Partial<Record<LimitName, string>>
export type LimitFault = 'no_number' | 'not_whole' | 'too_small' | 'too_large'

export interface ReadLimits {
  /** In the server's units. */
  values: Partial<Record<LimitName, number>>
  faults: Partial<Record<LimitName, LimitFault>>
}

export function readLimits(texts: LimitTexts, language: string): ReadLimits {
  const read: ReadLimits = { values: {}, faults: {} }
  for (const { name, factor, whole, most } of LIMITS) {
    const text = texts[name]?.trim()
    if (!text) continue
    const number = readNumber(text, language)
    if (number === null) read.faults[name] = 'no_number'
    else if (number <= 0) read.faults[name] = 'too_small'
    else if (whole && !Number.isInteger(number)) read.faults[name] = 'not_whole'
    else if (number * factor > most) read.faults[name] = 'too_large'
    else read.values[name] = name === 'max_output_bytes' ? Math.max(1, Math.round(number * factor)) : number * factor
  }
  return read
}

const PLAIN = /^\d+(?:[.,]\d+)?$/
const GROUPED = {
  en: /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/,
  de: /^[1-9]\d{0,2}(?:[.\s]\d{3})+(?:,\d+)?$/,
} as const

/** "0.5" and "0,5" are both a half, whatever the language; "1,000" is a thousand in English, and "1.000" in German. */
export function readNumber(text: string, language: string): number | null {
  const trimmed = text.trim()
  const isGerman = language.startsWith('de')
  if ((isGerman ? GROUPED.de : GROUPED.en).test(trimmed)) {
    const ungrouped = isGerman ? trimmed.replace(/[.\s]/g, '').replace(',', '.') : trimmed.replace(/,/g, '')
    return Number(ungrouped)
  }
  return PLAIN.test(trimmed) ? Number(trimmed.replace(',', '.')) : null
}
