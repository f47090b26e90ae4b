// What lies over the pages: the palette and the list of shortcuts; and the keys that open them.
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { Palette } from './Palette'
import { ShortcutHelp } from './ShortcutHelp'
import { onShortcut, shortcutOf, tellShortcut } from './shortcuts'

export function Overlays() {
  const [open, setOpen] = useState<'palette' | 'help' | null>(null)
  const [, navigate] = useLocation()

  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const shortcut = shortcutOf(event)
      if (!shortcut) return
      event.preventDefault()
      tellShortcut(shortcut.id)
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [])

  useEffect(
    () =>
      onShortcut((id) => {
        if (id === 'palette') setOpen('palette')
        else if (id === 'help') setOpen('help')
        else if (id === 'new') navigate('/new')
        else if (id === 'inbox') navigate('/inbox')
        else if (id === 'message') document.querySelector<HTMLElement>('[data-composer] textarea')?.focus()
      }),
    [navigate],
  )

  if (open === 'palette') return <Palette onClose={() => setOpen(null)} />
  if (open === 'help') return <ShortcutHelp onClose={() => setOpen(null)} />
  return null
}
