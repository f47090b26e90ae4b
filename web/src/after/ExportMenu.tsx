// Takes a session along: as Markdown to read, as JSON to work with, or as a link.
import { Braces, Download, FileText, Link2 } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { announce } from '@/app/announce'
import { useServices } from '@/app/Services'
import { Problem } from '@/data/Problem'
import { IconButton } from '@/ui/Button'
import { copyText } from '@/ui/CopyButton'
import styles from './ExportMenu.module.css'
import { download, jsonOf, markdownOfWhole, readWhole } from './export'
import { fileNameOf } from './fileNames'
import { useWords } from './useWords'

export function ExportMenu({ id, title }: { id: string; title: string }) {
  const { t } = useTranslation('after')
  const { client } = useServices()
  const words = useWords()
  const menu = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLSpanElement>(null)
  const menuId = useId()
  const [isOpen, setOpen] = useState(false)
  const [isReading, setReading] = useState(false)
  const [error, setError] = useState<unknown>(null)

  async function save(kind: 'md' | 'json') {
    if (isReading) return
    setReading(true)
    setError(null)
    try {
      const whole = await readWhole(client, id)
      const name = fileNameOf(id, title, kind)
      if (kind === 'md') download(name, markdownOfWhole(whole, title, words), 'text/markdown;charset=utf-8')
      else download(name, jsonOf(whole), 'application/json')
      announce(t('export.ready', { name }))
      menu.current?.hidePopover()
    } catch (failed) {
      setError(failed)
    } finally {
      setReading(false)
    }
  }

  async function copyLink() {
    await copyText(new URL(`/sessions/${encodeURIComponent(id)}`, window.location.origin).href)
    announce(t('export.copied'))
    menu.current?.hidePopover()
  }

  /** The menu lies over everything, so it is told where its button is. */
  function place() {
    const element = menu.current
    const at = button.current?.getBoundingClientRect()
    if (!element || !at) return
    const isHigh = at.bottom + element.offsetHeight + 16 > window.innerHeight
    const left = Math.min(at.right, window.innerWidth - 8) - element.offsetWidth
    element.style.left = `${Math.max(8, left)}px`
    element.style.top = `${isHigh ? at.top - element.offsetHeight - 4 : at.bottom + 4}px`
  }

  return (
    <>
      <span ref={button}>
        <IconButton
          label={t('export.label')}
          icon={<Download />}
          aria-expanded={isOpen}
          aria-haspopup="menu"
          popoverTarget={menuId}
        />
      </span>
      <div
        ref={menu}
        id={menuId}
        popover="auto"
        role="menu"
        aria-label={t('export.menu')}
        aria-busy={isReading}
        className={styles.menu}
        onKeyDown={walk}
        onToggle={(event) => {
          const opens = event.newState === 'open'
          setOpen(opens)
          setError(null)
          if (!opens) return
          place()
          menu.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
        }}
      >
        <Entry
          icon={<FileText />}
          name={t('export.markdown')}
          hint={t('export.markdown_hint')}
          onChoose={() => save('md')}
        />
        <Entry icon={<Braces />} name={t('export.json')} hint={t('export.json_hint')} onChoose={() => save('json')} />
        <Entry icon={<Link2 />} name={t('export.link')} hint={t('export.link_hint')} onChoose={copyLink} />
        {isReading && <p className={styles.reading}>{t('export.reading')}</p>}
        {error !== null && <Problem error={error} />}
      </div>
    </>
  )
}

function Entry({ icon, name, hint, onChoose }: { icon: ReactNode; name: string; hint: string; onChoose(): void }) {
  return (
    <button type="button" role="menuitem" tabIndex={-1} className={styles.entry} onClick={onChoose}>
      {icon}
      <span>
        <span className={styles.name}>{name}</span>
        <span className={styles.hint}>{hint}</span>
      </span>
    </button>
  )
}

/** The arrow keys, as in every menu; Escape and a click beside it are the browser's. */
function walk(event: KeyboardEvent<HTMLDivElement>): void {
  const entries = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')]
  const place = entries.indexOf(document.activeElement as HTMLElement)
  const next: Record<string, number> = {
    ArrowDown: (place + 1) % entries.length,
    ArrowUp: (place - 1 + entries.length) % entries.length,
    Home: 0,
    End: entries.length - 1,
  }
  if (event.key === 'Tab') event.currentTarget.hidePopover()
  const target = Object.hasOwn(next, event.key) ? entries[next[event.key]!] : undefined
  if (!target) return
  event.preventDefault()
  target.focus()
}
