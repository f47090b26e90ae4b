// A button: primary for what the page is for, plain beside it, quiet in bars, danger for what ends something.
import type { ComponentProps, ReactNode } from 'react'
import styles from './Button.module.css'

export interface ButtonProps extends ComponentProps<'button'> {
  tone?: 'primary' | 'plain' | 'quiet' | 'danger'
  size?: 's' | 'm'
  icon?: ReactNode
  /** Shows work under way and refuses another click. */
  busy?: boolean
}

export function Button({
  tone = 'plain',
  size = 'm',
  icon,
  busy = false,
  children,
  className,
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={[styles.button, styles[tone], styles[size], !children && styles.iconOnly, className]
        .filter(Boolean)
        .join(' ')}
    >
      {busy ? <span className={styles.spinner} aria-hidden="true" /> : icon}
      {children}
    </button>
  )
}

/** A button with an icon only; `label` is what it is called. */
export function IconButton({ label, tone = 'quiet', ...rest }: Omit<ButtonProps, 'children'> & { label: string }) {
  return <Button tone={tone} {...rest} aria-label={label} title={rest.title ?? label} />
}
