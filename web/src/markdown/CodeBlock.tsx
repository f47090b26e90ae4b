// A block of code with its language, a copy button, and colours as soon as they are there.
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '@/ui/CopyButton'
import type { Block } from './blocks'
import styles from './CodeBlock.module.css'
import { useColors } from './highlight'

interface CodeBlockProps {
  code: string
  /** What stands behind the fence. */
  language?: string | undefined
  part: Block['part']
  /** What the copy button takes, if that is more than this part. */
  copied?: (() => string) | undefined
}

export const CodeBlock = memo(function CodeBlock({ code, language, part, copied }: CodeBlockProps) {
  const { t } = useTranslation('markdown')
  const name = /^[^\s{,]+/.exec(language ?? '')?.[0] ?? null
  const hasHead = part === 'whole' || part === 'first'
  return (
    <figure className={styles.block} data-part={part} data-named={name !== null}>
      {hasHead && (
        <figcaption className={styles.head}>
          {name && <span className={styles.language}>{name}</span>}
          <span className={styles.copy}>
            <CopyButton text={copied ?? code} label={t('copy_code')} />
          </span>
        </figcaption>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <pre className={styles.code} tabIndex={0}>
        <code>
          <Coloured code={code} language={name?.toLowerCase() ?? null} />
        </code>
      </pre>
    </figure>
  )
})

function Coloured({ code, language }: { code: string; language: string | null }) {
  const pieces = useColors(code, language)
  if (!pieces) return code
  return pieces.map(({ color, text }, index) =>
    color === null ? (
      text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
      <span key={index} className={styles[color]}>
        {text}
      </span>
    ),
  )
}
