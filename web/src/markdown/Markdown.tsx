// A whole markdown text that does not grow.
import { memo, useMemo } from 'react'
import { blocks } from './blocks'
import styles from './Markdown.module.css'
import { MarkdownBlock } from './MarkdownBlock'

export const Markdown = memo(function Markdown({ text }: { text: string }) {
  const { list } = useMemo(() => blocks(null, text, false), [text])
  return (
    <div className={styles.markdown}>
      {list.map((block) => (
        <MarkdownBlock key={block.key} block={block} />
      ))}
    </div>
  )
})
