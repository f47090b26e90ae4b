// What stands inside a line of markdown, as elements. HTML in it is shown as it was written.
import type { MarkedToken, Token, Tokens } from 'marked'
import { Fragment, memo, type ReactNode } from 'react'
import { withoutReferences } from './entities'
import styles from './Markdown.module.css'
import { Picture } from './Picture'
import { SafeLink } from './SafeLink'

export const Inline = memo(function Inline({ tokens }: { tokens: readonly Token[] | undefined }): ReactNode {
  // Tokens have no identity of their own; those of a block are all made anew when one of them changes.
  // biome-ignore lint/suspicious/noArrayIndexKey: see above
  return tokens?.map((token, index) => <Fragment key={index}>{inline(token as MarkedToken)}</Fragment>)
})

function inline(token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'text':
      return token.tokens ? (
        <Inline tokens={token.tokens} />
      ) : token.escaped ? (
        token.text
      ) : (
        withoutReferences(token.text)
      )
    case 'escape':
      return token.text
    case 'strong':
      return (
        <strong>
          <Inline tokens={token.tokens} />
        </strong>
      )
    case 'em':
      return (
        <em>
          <Inline tokens={token.tokens} />
        </em>
      )
    case 'del':
      return (
        <del>
          <Inline tokens={token.tokens} />
        </del>
      )
    case 'codespan':
      return <code className={styles.code}>{token.text}</code>
    case 'br':
      return <br />
    case 'link':
      return <LinkOf token={token} />
    case 'image':
      return <Picture token={token} />
    case 'checkbox':
      return <Checkbox isChecked={token.checked} />
    case 'html':
      // The one tag that tables cannot do without, and that can do nothing.
      return /^<br\s*\/?>$/i.test(token.raw) ? <br /> : token.raw
    default:
      return token.raw
  }
}

function LinkOf({ token }: { token: Tokens.Link }) {
  const address = token.autolink ? token.href : withoutReferences(token.href)
  return (
    <SafeLink address={address} title={token.title ?? null}>
      {token.autolink ? token.text : <Inline tokens={token.tokens} />}
    </SafeLink>
  )
}

function Checkbox({ isChecked }: { isChecked: boolean }) {
  return <input type="checkbox" className={styles.checkbox} checked={isChecked} disabled readOnly />
}
