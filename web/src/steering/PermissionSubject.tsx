// What a tool call would do: a command as a terminal shows it, a change as a diff, all else as it is.
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { EditDetail } from '@/conversation/EditDetail'
import type { Edit } from '@/fold/select'
import { CopyButton } from '@/ui/CopyButton'
import { spelt } from './hidden'
import { InputEntries } from './InputEntries'
import styles from './PermissionSubject.module.css'
import { Revealed } from './Revealed'
import type { Shown, Subject } from './subject'

export function PermissionSubject({ shown, title }: { shown: Shown; title: string | undefined }) {
  const { t } = useTranslation('steering')
  const { subject, about, rest } = shown
  const words = about ?? title
  const isNothing = subject.kind === 'input' && rest.length === 0
  return (
    <div className={styles.subject}>
      {words && !repeats(words, subject) && (
        <p>
          <Revealed text={words} />
        </p>
      )}
      <SubjectShown subject={subject} />
      <InputEntries entries={rest} />
      {isNothing && <p className={styles.nothing}>{t('subject.nothing')}</p>}
    </div>
  )
}

function SubjectShown({ subject }: { subject: Subject }) {
  switch (subject.kind) {
    case 'command':
      return <Command command={subject.command} />
    case 'edits':
      return <Edits edits={subject.edits} />
    case 'paths':
      return subject.paths.map((path) => (
        <p key={path} className={styles.path}>
          <Revealed text={path} />
        </p>
      ))
    case 'address':
      return (
        <p className={styles.path}>
          <Revealed text={subject.address} />
        </p>
      )
    case 'plan':
      return (
        <p className={styles.plan}>
          <Revealed text={subject.text} />
        </p>
      )
    case 'input':
      return null
  }
}

function Edits({ edits }: { edits: readonly Edit[] }) {
  // A diff is made once for each edit, so they must stay the same ones.
  const shown = useMemo(() => edits.map(undisguised), [edits])
  return (
    <div className={styles.edits}>
      {shown.map((edit, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an edit is its place in the call
        <EditDetail key={place} edit={edit} />
      ))}
    </div>
  )
}

function Command({ command }: { command: string }) {
  const { t } = useTranslation('steering')
  return (
    <div className={styles.terminal}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <figure aria-label={t('subject.command')} tabIndex={0}>
        <pre>
          <code>
            <Revealed text={command} />
          </code>
        </pre>
      </figure>
      <CopyButton text={command} />
    </div>
  )
}

function undisguised({ path, before, after }: Edit): Edit {
  return { path: spelt(path), before: before && spelt(before), after: after && spelt(after) }
}

/** Agents like to say the command as the title too. */
function repeats(words: string, subject: Subject): boolean {
  const told = subject.kind === 'command' ? subject.command : subject.kind === 'paths' ? subject.paths[0] : undefined
  return told !== undefined && words.replace(/[`'"]/g, '').includes(told.replace(/[`'"]/g, ''))
}
