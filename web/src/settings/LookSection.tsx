// Language and colours.
import { Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { setTheme, storedTheme, THEMES, type Theme } from '@/app/theme'
import { LANGUAGES, setLanguage } from '@/i18n'
import { RadioCards } from '@/ui/RadioCards'
import { LANGUAGE_NAMES } from './languages'
import { Section } from './Section'

const ICONS: Readonly<Record<Theme, typeof Sun>> = { auto: Monitor, light: Sun, dark: Moon }

export function LookSection() {
  const { t, i18n } = useTranslation('settings')
  const [theme, setShownTheme] = useState(storedTheme)

  function choose(chosen: Theme) {
    setTheme(chosen)
    setShownTheme(chosen)
  }

  return (
    <Section title={t('look.title')}>
      <RadioCards
        legend={t('look.language')}
        size="word"
        value={i18n.language === 'de' ? 'de' : 'en'}
        options={LANGUAGES.map((language) => ({
          value: language,
          title: <span lang={language}>{LANGUAGE_NAMES[language]}</span>,
        }))}
        onChange={setLanguage}
      />
      <RadioCards
        legend={t('look.theme')}
        size="word"
        value={theme}
        options={THEMES.map((value) => {
          const Icon = ICONS[value]
          return { value, title: t(`look.${value}`), icon: <Icon aria-hidden="true" /> }
        })}
        onChange={choose}
      />
    </Section>
  )
}
