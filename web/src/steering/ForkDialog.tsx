// A new session that begins where this one stood: after which run, and with which task.
import type { SessionRecord } from 'holdfast-client'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { useFork } from '@/data/commands'
import { Problem } from '@/data/Problem'
import type { Conversation } from '@/fold/model'
import { titleOf } from '@/sessions/title'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { Field, Select, TextArea } from '@/ui/Field'
import styles from './DialogForm.module.css'
import { forkableRuns } from './possible'

interface ForkDialogProps {
  record: SessionRecord
  conversation: Conversation
  onClose(): void
}

export function ForkDialog({ record, conversation, onClose }: ForkDialogProps) {
  const { t } = useTranslation('steering')
  const [, navigate] = useLocation()
  const runs = forkableRuns(record)
  const [run, setRun] = useState(runs[0] ?? record.runs)
  const [task, setTask] = useState('')
  const [isChecked, setChecked] = useState(false)
  const fork = useFork(record.session_id)
  const formId = useId()
  const box = useRef<HTMLFormElement>(null)
  useEffect(() => box.current?.querySelector('textarea')?.focus(), [])

  function submit() {
    setChecked(true)
    if (task.trim() === '' || fork.isPending) return
    fork.mutate(
      { task, run },
      {
        onSuccess: ({ session_id }) => {
          onClose()
          navigate(`/sessions/${session_id}`)
        },
      },
    )
  }

  return (
    <Dialog
      title={t('fork.title')}
      size="m"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('not_now')}</Button>
          <Button type="submit" form={formId} tone="primary" busy={fork.isPending}>
            {t('fork.send')}
          </Button>
        </>
      }
    >
      <form
        ref={box}
        id={formId}
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <p>{t('fork.text')}</p>
        {runs.length > 1 && (
          <Field label={t('fork.after')}>
            {(control) => (
              <Select {...control} value={run} onChange={(event) => setRun(Number(event.target.value))}>
                {runs.map((number) => (
                  <option key={number} value={number}>
                    {t('fork.run', {
                      number,
                      task: titleOf(conversation.runs.find((one) => one.number === number)?.task ?? ''),
                    })}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        <Field label={t('fork.task')} error={isChecked && task.trim() === '' && t('question.required')}>
          {(control) => (
            <TextArea
              {...control}
              rows={4}
              value={task}
              placeholder={t('fork.placeholder')}
              onChange={(event) => setTask(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
              }}
            />
          )}
        </Field>
        <Problem error={fork.error} />
      </form>
    </Dialog>
  )
}
