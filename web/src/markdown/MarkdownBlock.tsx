// One block of markdown as elements. A block that is finished never changes, so that it is rendered once.
import type { MarkedToken, Token } from 'marked'
import { memo, type ReactNode } from 'react'
import type { Block } from './blocks'
import { CodeBlock } from './CodeBlock'
import { Inline } from './Inline'
import { List } from './List'
import styles from './Markdown.module.css'
import { Table } from './Table'

interface MarkdownBlockProps {
  block: Block
  /** The whole code of a block that was cut, for the copy button. */
  wholeCode?: (() => string) | undefined
}

export const MarkdownBlock = memo(function MarkdownBlock({ block, wholeCode }: MarkdownBlockProps) {
  const { token, part } = block
  if (token.type === 'code') return <CodeBlock code={token.text} language={token.lang} part={part} copied={wholeCode} />
  if (token.type === 'table') return <Table token={token} part={part} />
  return <BlockOf token={token} />
})

/** Blocks inside of another one. */
export function Blocks({ tokens }: { tokens: readonly Token[] }): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity, and only the last ones ever change
  return tokens.map((token, index) => <BlockOf key={index} token={token as MarkedToken} />)
}

// The page has the first level for itself, and HTML ends at the sixth.
const HEADINGS = ['h2', 'h3', 'h4', 'h5', 'h6', 'h6'] as const

const BlockOf = memo(function BlockOf({ token }: { token: MarkedToken }): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'paragraph':
      return (
        <p>
          <Inline tokens={token.tokens} />
        </p>
      )
    case 'heading': {
      const Heading = HEADINGS[Math.min(token.depth, HEADINGS.length) - 1] ?? 'h6'
      return (
        <Heading className={styles.heading} data-depth={token.depth}>
          <Inline tokens={token.tokens} />
        </Heading>
      )
    }
    case 'code':
      return <CodeBlock code={token.text} language={token.lang} part="whole" />
    case 'blockquote':
      return (
        <blockquote className={styles.quote}>
          <Blocks tokens={token.tokens} />
        </blockquote>
      )
    case 'list':
      return <List token={token} />
    case 'table':
      return <Table token={token} part="whole" />
    case 'hr':
      return <hr className={styles.rule} />
    case 'html':
      return <div className={styles.html}>{token.raw.trimEnd()}</div>
    default:
      return <Inline tokens={[token]} />
  }
})
