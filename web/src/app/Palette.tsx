// Go anywhere by typing: sessions, pages. A combobox in a dialog.
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { useActiveSessions, useFinishedSessions } from '@/data/sessions'
import { titleOf } from '@/sessions/title'
import { Dialog } from '@/ui/Dialog'
import { TextInput } from '@/ui/Field'
import styles from './Palette.module.css'
import { type Entry, matching } from './palette'

const SHOWN = 12

export function Palette({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('app')
  const [, navigate] = useLocation()
  const [typed, setTyped] = useState('')
  const [selected, setSelected] = useState(0)
  const entries = useEntries()
  const found = useMemo(() => matching(entries, typed).slice(0, SHOWN), [entries, typed])
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const current = found[Math.min(selected, found.length - 1)]

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  })

  function go(entry: Entry | undefined) {
    if (!entry) return
    onClose()
    navigate(entry.href)
  }

  return (
    <Dialog title={t('palette.title')} onClose={onClose} size="m">
      <TextInput
        data-first
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={current && `${listId}-${current.id}`}
        aria-label={t('palette.label')}
        placeholder={t('palette.placeholder')}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setSelected(0)
        }}
        onKeyDown={(event) => {
          const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
          if (step !== 0 && found.length > 0) {
            event.preventDefault()
            setSelected((before) => (before + step + found.length) % found.length)
          } else if (event.key === 'Enter') {
            event.preventDefault()
            go(current)
          }
        }}
      />
      {found.length === 0 && <p className={styles.none}>{t('palette.nothing')}</p>}
      <div ref={list} id={listId} role="listbox" aria-label={t('palette.title')} className={styles.list}>
        {found.map((entry) => (
          // The keyboard works in the text field, as a combobox's does.
          // biome-ignore lint/a11y/useKeyWithClickEvents: see above
          // biome-ignore lint/a11y/useFocusableInteractive: see above
          <div
            key={entry.id}
            id={`${listId}-${entry.id}`}
            role="option"
            aria-selected={entry === current}
            className={styles.entry}
            onClick={() => go(entry)}
          >
            <span>{entry.label}</span>
            <small>{entry.more}</small>
          </div>
        ))}
      </div>
    </Dialog>
  )
}

function useEntries(): Entry[] {
  const { t } = useTranslation('app')
  const { data: active } = useActiveSessions()
  const { data: finished } = useFinishedSessions({})
  return useMemo(() => {
    const sessions = [...(active ?? []), ...(finished?.pages.flatMap((page) => page.sessions) ?? [])]
    return [
      ...(['new', 'inbox', 'projects', 'agents', 'settings'] as const).map((page) => ({
        id: page,
        label: t(`nav.${page}`),
        more: t('palette.page'),
        href: `/${page}`,
      })),
      { id: 'webhooks', label: t('nav.webhooks'), more: t('palette.page'), href: '/settings/webhooks' },
      ...sessions.map((record) => ({
        id: record.session_id,
        label: titleOf(record.task),
        more: [t(`sessions:status.${record.status}`), record.agent, record.project_id].filter(Boolean).join(' · '),
        href: `/sessions/${record.session_id}`,
      })),
    ]
  }, [active, finished, t])
}
