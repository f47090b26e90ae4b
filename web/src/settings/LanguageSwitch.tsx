// The languages as two small buttons, for pages without the frame around them.
import { useTranslation } from 'react-i18next'
import { LANGUAGES, setLanguage } from '@/i18n'
import { Button } from '@/ui/Button'
import { LANGUAGE_NAMES } from './languages'

export function LanguageSwitch() {
  const { i18n } = useTranslation()
  return (
    <div>
      {LANGUAGES.map((language) => (
        <Button
          key={language}
          tone="quiet"
          size="s"
          lang={language}
          aria-pressed={i18n.language === language}
          onClick={() => setLanguage(language)}
        >
          {LANGUAGE_NAMES[language]}
        </Button>
      ))}
    </div>
  )
}
