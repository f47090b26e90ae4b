// Search inside a session: the browser's own finds only what is on the screen.
import { ChevronDown, ChevronUp, Search, X } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { announce } from '@/app/announce'
import type { Conversation } from '@/fold/model'
import { useFormat } from '@/i18n/format'
import { IconButton } from '@/ui/Button'
import styles from './FindBar.module.css'
import { find, foundNext } from './find'

interface Props {
  conversation: Conversation
  onGo(sequence: number): void
  onClose(): void
  onQuery(query: string): void
}

// While somebody types, no count is read out.
const TYPED_MS = 600

export function FindBar({ conversation, onGo, onClose, onQuery }: Props) {
  const { t } = useTranslation('after')
  const format = useFormat()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [current, setCurrent] = useState<number | null>(null)
  // Typing goes first: a long session is searched when there is time.
  const query = useDeferredValue(typed)
  const found = useMemo(() => find(conversation, query), [conversation, query])
  const place = found.findIndex((one) => one.sequence === current)

  const latest = useRef({ onGo, onQuery, found })
  latest.current = { onGo, onQuery, found }

  // Whoever closes the search is back where they were.
  useEffect(() => {
    const before = document.activeElement
    field.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])

  useEffect(() => {
    latest.current.onQuery(query.trim())
    const first = latest.current.found[0]
    setCurrent(first?.sequence ?? null)
    if (first) latest.current.onGo(first.sequence)
  }, [query])

  useEffect(() => {
    if (query.trim() === '') return
    const timer = setTimeout(() => {
      const count = latest.current.found.length
      announce(count === 0 ? t('find.said_none') : t('find.said', { count }))
    }, TYPED_MS)
    return () => clearTimeout(timer)
  }, [query, t])

  function go(step: 1 | -1) {
    const next = foundNext(found, current, step)
    if (!next) return
    setCurrent(next.sequence)
    onGo(next.sequence)
    announce(t('find.of', { place: found.indexOf(next) + 1, total: found.length }))
  }

  const goLatest = useRef(go)
  goLatest.current = go
  useEffect(() => {
    const pressed = (event: globalThis.KeyboardEvent) => {
      const isAgain = event.key === 'F3' || ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'g')
      if (!isAgain) return
      event.preventDefault()
      goLatest.current(event.shiftKey ? -1 : 1)
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [])

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      onClose()
    } else if (event.key === 'Enter' && event.target === field.current && !event.nativeEvent.isComposing) {
      event.preventDefault()
      go(event.shiftKey ? -1 : 1)
    }
  }

  const isEmpty = query.trim() === ''
  return (
    <search className={styles.bar} aria-label={t('find.label')} onKeyDown={onKeyDown}>
      <Search className={styles.icon} aria-hidden="true" />
      <input
        ref={field}
        className={styles.field}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        aria-label={t('find.label')}
        placeholder={t('find.placeholder')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <span className={styles.count} data-none={!isEmpty && found.length === 0}>
        {!isEmpty && found.length === 0 && t('find.none')}
        {found.length > 0 &&
          t('find.of', { place: format.number(Math.max(1, place + 1)), total: format.number(found.length) })}
      </span>
      <IconButton
        label={t('find.previous')}
        icon={<ChevronUp />}
        size="s"
        disabled={found.length === 0}
        onClick={() => go(-1)}
      />
      <IconButton
        label={t('find.next')}
        icon={<ChevronDown />}
        size="s"
        disabled={found.length === 0}
        onClick={() => go(1)}
      />
      <IconButton label={t('find.close')} icon={<X />} size="s" onClick={onClose} />
    </search>
  )
}
