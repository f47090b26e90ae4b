// A folder of the server's machine: typed with completion, or found by going from folder to folder.
import { CornerLeftUp, Folder } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblem } from '@/data/problem'
import { useFolders } from '@/data/server'
import { Field, TextInput } from '@/ui/Field'
import styles from './FolderField.module.css'
import { fitting, into, typed } from './folders'

interface Option {
  path: string
  name: string
  isParent: boolean
}

export function FolderField({ value, onChange }: { value: string; onChange(path: string): void }) {
  const { t } = useTranslation('newtask')
  const plain = useProblem()
  const [isOpen, setOpen] = useState(false)
  const [isLeft, setLeft] = useState(false)
  const [active, setActive] = useState(-1)
  const list = useRef<HTMLDivElement>(null)
  const listId = useId()
  const { base, prefix } = typed(value)
  const listing = useFolders(base)

  const options: Option[] = []
  if (listing.data && !listing.error) {
    const { path, parent, folders } = listing.data
    if (parent && prefix === '')
      options.push({ path: parent === '/' ? '/' : `${parent}/`, name: t('folder.up'), isParent: true })
    for (const name of fitting(folders, prefix)) options.push({ path: into(path, name), name, isParent: false })
  }

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  })

  // Closed only when the click that took the focus is over: what stands below would otherwise move away under it.
  useEffect(() => {
    if (!isLeft) return
    const close = () => setTimeout(() => setOpen(false))
    const ends = ['pointerup', 'pointercancel', 'keyup'] as const
    for (const end of ends) window.addEventListener(end, close, { once: true })
    return () => {
      for (const end of ends) window.removeEventListener(end, close)
    }
  }, [isLeft])

  function choose(option: Option) {
    onChange(option.path)
    setActive(-1)
  }

  function pressed(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const chosen = options[active]
    if (step !== undefined) {
      setOpen(true)
      const next = active + step
      setActive(next < 0 ? options.length - 1 : next >= options.length ? 0 : next)
    } else if (event.key === 'Enter' && isOpen && chosen) {
      choose(chosen)
    } else if (event.key === 'Escape' && isOpen) {
      setOpen(false)
      setActive(-1)
      event.stopPropagation()
    } else return
    event.preventDefault()
  }

  return (
    <Field
      label={t('folder.label')}
      hint={t('folder.hint')}
      error={listing.error && prefix === '' ? plain(listing.error).text : undefined}
    >
      {(control) => (
        <div className={styles.box}>
          <TextInput
            {...control}
            role="combobox"
            aria-expanded={isOpen && options.length > 0}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={isOpen && options[active] ? `${listId}-${active}` : undefined}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={listing.data?.path ?? '/…'}
            value={value}
            onFocus={() => {
              setLeft(false)
              setOpen(true)
            }}
            onBlur={() => setLeft(true)}
            onChange={(event) => {
              onChange(event.target.value)
              setOpen(true)
              setActive(-1)
            }}
            onKeyDown={pressed}
          />
          <div
            ref={list}
            id={listId}
            role="listbox"
            aria-label={t('folder.list')}
            className={styles.list}
            hidden={!isOpen || options.length === 0}
          >
            {options.map((option, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the combobox, which keeps the focus
              <div
                key={option.path}
                id={`${listId}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                className={styles.option}
                // The field keeps the focus, so that one can go on typing.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => choose(option)}
              >
                {option.isParent ? <CornerLeftUp aria-hidden="true" /> : <Folder aria-hidden="true" />}
                {option.name}
              </div>
            ))}
            {listing.data?.truncated && <p className={styles.more}>{t('folder.truncated')}</p>}
          </div>
        </div>
      )}
    </Field>
  )
}
