// The input of a call, to be changed before it is allowed.
import type { PermissionRequest } from 'holdfast-client'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field, TextArea } from '@/ui/Field'
import styles from './Card.module.css'
import { InputEntries } from './InputEntries'
import { type Edited, editedAnswer, editedInput, editingOf } from './permission'
import type { Answering } from './useAnswering'

const MOST_ROWS = 14

interface EditFormProps {
  /** By which buttons outside of it can send it. */
  id: string
  request: PermissionRequest
  answering: Answering
  onBack(): void
}

export function EditForm({ id, request, answering, onBack }: EditFormProps) {
  const { t } = useTranslation('steering')
  const editing = useMemo(() => editingOf(request.tool_input), [request.tool_input])
  const [text, setText] = useState(editing.text)
  const [edited, setEdited] = useState<Edited | null>(null)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('textarea')?.focus(), [])

  function submit() {
    const found = editedInput(request.tool_input, editing, text)
    setEdited(found)
    if ('input' in found) answering.send(editedAnswer(request.tool_input, found.input))
  }

  const problem = edited && 'problem' in edited ? edited : null
  return (
    <form
      ref={form}
      id={id}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!answering.isBusy) submit()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onBack()
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
      }}
    >
      <InputEntries entries={editing.rest} />
      <Field
        label={editing.field === null ? t('edit.json') : t('edit.field', { field: editing.field })}
        hint={t('edit.hint')}
        error={problem && t(`edit.${problem.problem}`, 'detail' in problem ? { detail: problem.detail } : {})}
      >
        {(control) => (
          <TextArea
            {...control}
            className={styles.code ?? ''}
            rows={Math.min(MOST_ROWS, Math.max(2, text.split('\n').length))}
            spellCheck={false}
            autoCapitalize="off"
            autoCorrect="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
    </form>
  )
}
