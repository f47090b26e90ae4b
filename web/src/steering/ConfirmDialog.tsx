// A question before something that ends: the button that does nothing comes first.
import type { ReactNode } from 'react'
import { Problem } from '@/data/Problem'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import styles from './DialogForm.module.css'

interface ConfirmDialogProps {
  title: string
  children: ReactNode
  confirm: string
  back: string
  isPending: boolean
  error: unknown
  onConfirm(): void
  onClose(): void
}

export function ConfirmDialog({
  title,
  children,
  confirm,
  back,
  isPending,
  error,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{back}</Button>
          <Button tone="danger" busy={isPending} onClick={onConfirm}>
            {confirm}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <p>{children}</p>
        <Problem error={error} />
      </div>
    </Dialog>
  )
}
