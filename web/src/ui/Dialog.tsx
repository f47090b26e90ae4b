// A modal dialog on the browser's own element: focus stays inside, Escape closes, the page behind is inert.
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from './Button'
import styles from './Dialog.module.css'

export interface DialogProps {
  title: string
  onClose(): void
  children: ReactNode
  /** Buttons at the foot. */
  actions?: ReactNode
  size?: 's' | 'm' | 'l'
  /** A click beside it does not close it: what is in it would be lost. */
  isFirm?: boolean
}

/** Is open while it is mounted. The focus goes to what is marked with `data-first`, else to the first button. */
export function Dialog({ title, onClose, children, actions, size = 's', isFirm = false }: DialogProps) {
  const { t } = useTranslation('app')
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  useEffect(() => {
    const element = dialog.current
    if (!element) return
    element.showModal()
    // React's own autoFocus comes too early: what is in a dialog that is not yet open cannot have the focus.
    element.querySelector<HTMLElement>('[data-first]')?.focus()
    return () => element.close()
  }, [])

  return (
    <dialog
      ref={dialog}
      className={`${styles.dialog} ${styles[size]}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // A click on the backdrop hits the dialog itself, never what is in it.
      onPointerDown={(event) => !isFirm && event.target === event.currentTarget && onClose()}
    >
      <div className={styles.inside}>
        <header className={styles.head}>
          <h2 id={titleId}>{title}</h2>
          <IconButton label={t('close')} icon={<X />} size="s" onClick={onClose} />
        </header>
        <div className={styles.body}>{children}</div>
        {actions && <footer className={styles.actions}>{actions}</footer>}
      </div>
    </dialog>
  )
}
