// What a kind of event is called on the screen. A newer server may know more of them.
import { useTranslation } from 'react-i18next'

export function useKindName(): (kind: string) => string {
  const { t, i18n } = useTranslation('webhooks')
  return (kind) => {
    const key = `kind.${kind.replace('.', '_')}`
    return i18n.exists(`webhooks:${key}`) ? t(key) : kind
  }
}
