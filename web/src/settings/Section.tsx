// One matter of the settings, under its heading.
import { type ReactNode, useId } from 'react'
import styles from './Section.module.css'

export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div className={styles.inside}>{children}</div>
    </section>
  )
}
