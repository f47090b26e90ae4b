// A no, with words for the agent if there are some: Enter sends them, Escape goes back.
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/Button'
import { Field, TextInput } from '@/ui/Field'
import styles from './Card.module.css'
import { denial } from './permission'
import type { Answering } from './useAnswering'

export function DenyForm({ answering, onBack }: { answering: Answering; onBack(): void }) {
  const { t } = useTranslation('steering')
  const [message, setMessage] = useState('')
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])

  return (
    <form
      ref={form}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!answering.isBusy) answering.send(denial(message))
      }}
      onKeyDown={(event) => event.key === 'Escape' && onBack()}
    >
      <Field label={t('deny.label')} hint={t('deny.hint')}>
        {(control) => (
          <TextInput
            {...control}
            value={message}
            placeholder={t('deny.placeholder')}
            onChange={(event) => setMessage(event.target.value)}
          />
        )}
      </Field>
      <div className={styles.choices}>
        <Button type="submit" tone="danger" busy={answering.isBusy}>
          {t('deny.send')}
        </Button>
        <Button tone="quiet" disabled={answering.isBusy} onClick={onBack}>
          {t('back')}
        </Button>
      </div>
    </form>
  )
}
