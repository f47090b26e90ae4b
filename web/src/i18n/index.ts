// The texts of the UI in two languages, switched at run time. A file's name is its namespace.
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'

export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

const STORED = 'holdfast.language'

type Texts = Record<string, unknown>
const files = import.meta.glob<{ default: Texts }>('./{en,de}/*.json', { eager: true })

export function resources(): Record<Language, Record<string, Texts>> {
  const all: Record<Language, Record<string, Texts>> = { en: {}, de: {} }
  for (const [path, file] of Object.entries(files)) {
    const [, language, namespace] = /^\.\/(en|de)\/(.+)\.json$/.exec(path) ?? []
    if (language && namespace) all[language as Language][namespace] = file.default
  }
  return all
}

function preferred(): Language {
  const stored = localStorage.getItem(STORED)
  if (stored === 'en' || stored === 'de') return stored
  return navigator.languages.some((tag) => tag.toLowerCase().startsWith('de')) &&
    !navigator.languages[0]?.toLowerCase().startsWith('en')
    ? 'de'
    : 'en'
}

export async function startI18n(): Promise<void> {
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language
  })
  await i18next.use(initReactI18next).init({
    resources: resources(),
    lng: preferred(),
    fallbackLng: 'en',
    defaultNS: 'app',
    interpolation: { escapeValue: false }, // React escapes
    returnNull: false,
  })
}

export function setLanguage(language: Language): void {
  localStorage.setItem(STORED, language)
  void i18next.changeLanguage(language)
}
