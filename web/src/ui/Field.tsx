// A labelled control with room for a hint and an error; and the controls themselves.
import { type ComponentProps, type ReactNode, useId } from 'react'
import styles from './Field.module.css'

interface FieldProps {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  children(control: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }): ReactNode
}

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  const described = error || hint ? `${id}-about` : undefined
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      {children({ id, 'aria-describedby': described, 'aria-invalid': error ? true : undefined })}
      {(error || hint) && (
        // An alert is read aloud when it appears, so an error is an element of its own.
        <p
          key={error ? 'error' : 'hint'}
          id={described}
          role={error ? 'alert' : undefined}
          className={error ? styles.error : styles.hint}
        >
          {error || hint}
        </p>
      )}
    </div>
  )
}

export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  return <input type="text" {...rest} className={`${styles.control} ${className ?? ''}`} />
}

export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...rest} className={`${styles.control} ${styles.area} ${className ?? ''}`} />
}

export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select {...rest} className={`${styles.control} ${styles.select} ${className ?? ''}`} />
}
