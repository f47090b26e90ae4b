// The form of a webhook, new or known. What is wrong with a field stands below it, whoever has noticed.
import { type FormEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '@/data/Problem'
import { useProjects } from '@/data/server'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { Field, Select, TextInput } from '@/ui/Field'
import { type Draft, type FieldName, faultsOf, refusedField, withEvent } from './draft'
import { EventChoice } from './EventChoice'
import styles from './FormDialog.module.css'

interface FormDialogProps {
  title: string
  send: string
  initial: Draft
  hasFixedProject?: boolean
  isPending: boolean
  error: Error | null
  onSend(draft: Draft): void
  onClose(): void
}

export function FormDialog({
  title,
  send,
  initial,
  hasFixedProject = false,
  isPending,
  error,
  onSend,
  onClose,
}: FormDialogProps) {
  const { t } = useTranslation('webhooks')
  const projects = useProjects()
  const [draft, setDraft] = useState(initial)
  // Nobody is told of a missing address before having had a chance to type one.
  const [isTried, setTried] = useState(false)
  // What the server has said is about the draft that it got.
  const [sent, setSent] = useState<Draft | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const formId = useId()
  const faults = isTried ? faultsOf(draft) : {}
  const refused = refusedField(error)

  function change(some: Partial<Draft>) {
    setDraft((before) => ({ ...before, ...some }))
  }

  function problemOf(field: FieldName, isAsSent: boolean) {
    const fault = faults[field]
    if (fault) return t(`fault.${fault}`)
    return refused === field && isAsSent && error ? <span lang="en">{error.message}</span> : undefined
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isPending) return
    setTried(true)
    if (Object.keys(faultsOf(draft)).length > 0) {
      // After the faults are on the page.
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
      return
    }
    setSent(draft)
    onSend(draft)
  }

  return (
    <Dialog
      title={title}
      size="m"
      isFirm
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" form={formId} tone="primary" busy={isPending}>
            {send}
          </Button>
        </>
      }
    >
      <form ref={form} id={formId} className={styles.form} onSubmit={submit} noValidate>
        <Field label={t('form.url')} hint={t('form.url_hint')} error={problemOf('url', draft.url === sent?.url)}>
          {(control) => (
            <TextInput
              {...control}
              data-first
              type="url"
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
              placeholder="https://example.com/hooks/holdfast"
              value={draft.url}
              onChange={(event) => change({ url: event.target.value })}
            />
          )}
        </Field>
        <EventChoice
          chosen={draft.events}
          error={problemOf('events', draft.events === sent?.events)}
          onChoose={(kind, isWanted) => setDraft((before) => withEvent(before, kind, isWanted))}
        />
        <Field
          label={t('form.description')}
          hint={t('form.description_hint')}
          error={problemOf('description', draft.description === sent?.description)}
        >
          {(control) => (
            <TextInput
              {...control}
              autoComplete="off"
              value={draft.description}
              onChange={(event) => change({ description: event.target.value })}
            />
          )}
        </Field>
        {!hasFixedProject && (
          <Field
            label={t('form.project')}
            hint={t('form.project_hint')}
            error={problemOf('project_id', draft.projectId === sent?.projectId)}
          >
            {(control) => (
              <Select
                {...control}
                value={draft.projectId}
                onChange={(event) => change({ projectId: event.target.value })}
              >
                <option value="">{t('project.all')}</option>
                {projects.data?.map(({ project_id }) => (
                  <option key={project_id} value={project_id}>
                    {project_id}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        {refused === null && <Problem error={error} />}
      </form>
    </Dialog>
  )
}
