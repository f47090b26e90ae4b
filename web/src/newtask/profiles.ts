// The permission profiles in the reader's words: the built-in ones are translated, others speak for themselves.
import type { ProfileInfo } from 'holdfast-client'
import { useTranslation } from 'react-i18next'

export function useProfileWords(): (profile: ProfileInfo) => { title: string; text: string } {
  const { t, i18n } = useTranslation('newtask')
  return ({ name, description, configured }) => {
    const isOurs = !configured && i18n.exists(`newtask:profile.builtin.${name}.title`)
    if (!isOurs) return { title: name, text: description }
    return { title: t(`profile.builtin.${name}.title`), text: t(`profile.builtin.${name}.text`) }
  }
}
