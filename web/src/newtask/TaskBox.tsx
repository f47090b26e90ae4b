// The field for the task: grows with its text, takes pasted pictures, and starts by Ctrl+Enter.
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useGrowing } from '@/steering/useGrowing'
import styles from './TaskBox.module.css'

export interface TaskBoxProps {
  value: string
  /** A keyboard that covers half a phone should not come unasked: there it is not focused. */
  focusOnDesk: boolean
  describedBy?: string | undefined
  onChange(value: string): void
  onPaste(event: ClipboardEvent): void
  onStart(): void
}

export function TaskBox({ value, focusOnDesk, describedBy, onChange, onPaste, onStart }: TaskBoxProps) {
  const { t } = useTranslation('newtask')
  const field = useRef<HTMLTextAreaElement>(null)

  useGrowing(field, value)

  useEffect(() => {
    const element = field.current
    if (!focusOnDesk || !element || !window.matchMedia('(pointer: fine)').matches) return
    element.focus({ preventScroll: true })
    element.setSelectionRange(element.value.length, element.value.length)
  }, [focusOnDesk])

  function pressed(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return
    event.preventDefault()
    onStart()
  }

  return (
    <textarea
      ref={field}
      className={styles.box}
      aria-label={t('task')}
      aria-describedby={describedBy}
      placeholder={t('placeholder')}
      rows={4}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={pressed}
      onPaste={onPaste}
    />
  )
}
