// A button with more commands behind it, on the browser's own popover: it closes by Escape, by a click beside it and by a choice.
import { EllipsisVertical } from 'lucide-react'
import { type ReactNode, useId, useRef } from 'react'
import { Button, IconButton } from '@/ui/Button'
import styles from './Menu.module.css'
import { walkButtons } from './walkButtons'

export interface MenuEntry {
  id: string
  label: string
  icon: ReactNode
  isDanger?: boolean
  /** Shown only where there is no room for a button of its own. */
  narrowOnly?: boolean
  onChoose(): void
}

export function Menu({ label, entries }: { label: string; entries: readonly MenuEntry[] }) {
  const id = useId()
  const opener = useRef<HTMLSpanElement>(null)
  const list = useRef<HTMLDivElement>(null)

  /** Below its button, at its right edge; a popover stands in a layer of its own, which knows nothing of the button. */
  function place() {
    const at = opener.current?.getBoundingClientRect()
    if (!at || !list.current) return
    list.current.style.top = `${at.bottom + 4}px`
    list.current.style.right = `${Math.max(8, document.documentElement.clientWidth - at.right)}px`
  }

  return (
    <span ref={opener} className={entries.every((entry) => entry.narrowOnly) ? styles.narrowOnly : undefined}>
      <IconButton label={label} icon={<EllipsisVertical />} popoverTarget={id} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the buttons in it */}
      <div
        ref={list}
        id={id}
        popover="auto"
        className={styles.menu}
        onBeforeToggle={place}
        onToggle={(event) => event.newState === 'open' && event.currentTarget.querySelector('button')?.focus()}
        onKeyDown={walkButtons}
      >
        {entries.map((entry) => (
          <Button
            key={entry.id}
            tone="quiet"
            icon={entry.icon}
            className={[styles.entry, entry.isDanger && styles.danger, entry.narrowOnly && styles.narrowOnly]
              .filter(Boolean)
              .join(' ')}
            onClick={() => {
              list.current?.hidePopover()
              entry.onChoose()
            }}
          >
            {entry.label}
          </Button>
        ))}
      </div>
    </span>
  )
}
