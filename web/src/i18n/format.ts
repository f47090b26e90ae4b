// Times, durations, money and counts as the reader's language writes them.
import { useTranslation } from 'react-i18next'

export interface Format {
  /** "12 ms", "4.2 s", "1 min 23 s", "2 h 5 min". */
  duration(ms: number): string
  /** "$0.42"; more digits for less than a cent. */
  cost(usd: number): string
  number(value: number): string
  /** 12,345 → "12.3k". */
  compact(value: number): string
  bytes(value: number): string
  /** "just now", "5 min. ago", "yesterday", else a date. */
  ago(iso: string, now?: number): string
  time(iso: string): string
  dateTime(iso: string): string
}

// Every line of a conversation wants one, and the browser takes long to make its parts.
const made = new Map<string, Format>()

export function formatFor(language: string): Format {
  let format = made.get(language)
  if (format === undefined) {
    format = newFormat(language)
    made.set(language, format)
  }
  return format
}

function newFormat(language: string): Format {
  const number = new Intl.NumberFormat(language)
  const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })
  const one = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  const time = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', second: '2-digit' })
  const dateTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' })
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })
  const dollars = (digits: number) =>
    new Intl.NumberFormat(language, {
      style: 'currency',
      currency: 'USD',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
  const [cost, smallCost] = [dollars(2), dollars(4)]
  const isGerman = language.startsWith('de')
  const minutes = isGerman ? 'Min.' : 'min'
  const hours = isGerman ? 'Std.' : 'h'

  return {
    duration(ms) {
      if (ms < 1000) return `${Math.round(ms)} ms`
      const seconds = ms / 1000
      if (seconds < 10) return `${one.format(seconds)} s`
      if (seconds < 60) return `${Math.round(seconds)} s`
      const whole = Math.round(seconds)
      if (whole < 3600) return `${Math.floor(whole / 60)} ${minutes} ${whole % 60} s`
      return `${Math.floor(whole / 3600)} ${hours} ${Math.floor((whole % 3600) / 60)} ${minutes}`
    },
    cost: (usd) => (usd !== 0 && Math.abs(usd) < 0.01 ? smallCost : cost).format(usd),
    number: (value) => number.format(value),
    compact: (value) => compact.format(value),
    bytes(value) {
      if (value < 1000) return `${number.format(value)} B`
      if (value < 1_000_000) return `${one.format(value / 1000)} kB`
      return `${one.format(value / 1_000_000)} MB`
    },
    ago(iso, now = Date.now()) {
      const seconds = (Date.parse(iso) - now) / 1000
      const past = -seconds
      if (past < 45) return relative.format(0, 'second')
      if (past < 3600) return relative.format(Math.round(seconds / 60), 'minute')
      if (past < 86_400) return relative.format(Math.round(seconds / 3600), 'hour')
      if (past < 7 * 86_400) return relative.format(Math.round(seconds / 86_400), 'day')
      return date.format(new Date(iso))
    },
    time: (iso) => time.format(new Date(iso)),
    dateTime: (iso) => dateTime.format(new Date(iso)),
  }
}

/** The reader's own kind of the language: a Briton's clock has 24 hours, an American's twelve. */
export function localeOf(language: string): string {
  return navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language
}

export function useFormat(): Format {
  const { i18n } = useTranslation()
  return formatFor(localeOf(i18n.language))
}
