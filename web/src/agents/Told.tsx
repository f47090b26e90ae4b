// A sentence of the server with `commands` in it: they are set as code, and the first one can be copied.
import { Fragment } from 'react'
import { CopyButton } from '@/ui/CopyButton'
import styles from './Told.module.css'

/** The server's sentences are English. */
export function Told({ text }: { text: string }) {
  const parts = text.split('`')
  return (
    <span lang="en">
      {parts.map((part, index) => {
        const key = `${index}:${part}`
        return index % 2 === 1 ? <code key={key}>{part}</code> : <Fragment key={key}>{part}</Fragment>
      })}
    </span>
  )
}

/** How to install something: a command to copy, or the address of a page that says how. */
export function InstallHint({ text }: { text: string }) {
  const page = /^see (https:\/\/\S+)$/.exec(text)?.[1]
  if (page) {
    return (
      <a className={styles.page} href={page} target="_blank" rel="noreferrer noopener">
        {page}
      </a>
    )
  }
  return (
    <span className={styles.command}>
      <code>{text}</code>
      <CopyButton text={text} />
    </span>
  )
}
