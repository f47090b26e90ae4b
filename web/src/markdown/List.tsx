// A list, with its tasks as checkboxes that nobody can click.
import type { Tokens } from 'marked'
import styles from './Markdown.module.css'
import { Blocks } from './MarkdownBlock'

export function List({ token }: { token: Tokens.List }) {
  const items = token.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: an item has no identity but its place
    <li key={index} className={item.task ? styles.task : undefined}>
      <Blocks tokens={item.tokens} />
    </li>
  ))
  const className = `${styles.list} ${token.loose ? styles.loose : ''}`
  if (!token.ordered) return <ul className={className}>{items}</ul>
  return (
    <ol className={className} start={token.start === '' ? undefined : token.start}>
      {items}
    </ol>
  )
}
