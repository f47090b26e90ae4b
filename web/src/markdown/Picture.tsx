// A picture in a text: shown if it came with the text, else a link to it. Nothing is loaded from outside.
import { Image } from 'lucide-react'
import type { Tokens } from 'marked'
import { useTranslation } from 'react-i18next'
import { withoutReferences } from './entities'
import { safePicture } from './links'
import styles from './Markdown.module.css'
import { SafeLink } from './SafeLink'

export function Picture({ token }: { token: Tokens.Image }) {
  const { t } = useTranslation('markdown')
  const address = withoutReferences(token.href)
  const words = withoutReferences(token.text)
  const source = safePicture(address)
  if (source) return <img className={styles.picture} src={source} alt={words} />
  return (
    <SafeLink address={address} title={token.title}>
      <Image className={styles.pictureIcon} aria-hidden="true" />
      {words || t('picture')}
    </SafeLink>
  )
}
