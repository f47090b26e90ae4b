// What the languages are called, each in its own words: whoever cannot read the page must find the way out.
import type { Language } from '@/i18n'

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' }
