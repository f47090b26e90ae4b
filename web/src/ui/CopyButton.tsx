// Copies a text and says so for a moment.
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { announce } from '@/app/announce'
import { IconButton } from './Button'

const SAID_MS = 1600

export function CopyButton({ text, label }: { text: string | (() => string); label?: string }) {
  const { t } = useTranslation('app')
  const [copied, setCopied] = useState(false)

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SAID_MS)
    return () => clearTimeout(timer)
  }, [copied])

  async function copy() {
    await copyText(typeof text === 'string' ? text : text())
    setCopied(true)
    announce(t('copied'))
  }

  return (
    <IconButton
      label={copied ? t('copied') : (label ?? t('copy'))}
      icon={copied ? <Check /> : <Copy />}
      size="s"
      onClick={copy}
    />
  )
}

/** `navigator.clipboard` is there on secure pages only, and may be refused; then there is the old way. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    return
  } catch {
    // Not there, or not allowed.
  }
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'visually-hidden'
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
