// How a session shall go on, and with which limit if one has ended its run.
import type { ResumeBody, SessionRecord } from 'holdfast-client'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useResume } from '@/data/commands'
import { Problem } from '@/data/Problem'
import type { Conversation } from '@/fold/model'
import { readLimits } from '@/newtask/limits'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { Field, TextInput } from '@/ui/Field'
import { RadioCards } from '@/ui/RadioCards'
import styles from './DialogForm.module.css'
import { possibleOf, reachedLimit } from './possible'

interface ResumeDialogProps {
  record: SessionRecord
  conversation: Conversation
  onClose(): void
}

export function ResumeDialog({ record, conversation, onClose }: ResumeDialogProps) {
  const { t, i18n } = useTranslation('steering')
  const { t: tLimits } = useTranslation('newtask')
  const ways = possibleOf(record).resume
  const limit = reachedLimit(record)
  const [how, setHow] = useState<NonNullable<ResumeBody['how']>>(ways[0] ?? 'continue')
  const [amount, setAmount] = useState('')
  const resume = useResume(record.session_id)
  const formId = useId()

  const { values, faults } = readLimits(limit ? { [limit]: amount } : {}, i18n.language)
  const fault = limit ? faults[limit] : undefined
  const ended = conversation.runs.at(-1)?.end?.message

  return (
    <Dialog
      title={t('resume.title')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('not_now')}</Button>
          <Button type="submit" form={formId} tone="primary" busy={resume.isPending}>
            {t(`resume.${how}_send`)}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!fault && !resume.isPending) resume.mutate({ how, ...values }, { onSuccess: onClose })
        }}
      >
        {limit && <p>{t('resume.limit_reached')}</p>}
        {limit && ended && <p className={styles.task}>{ended}</p>}
        <RadioCards
          legend={t('resume.how')}
          size="sentence"
          options={ways.map((way) => ({ value: way, title: t(`resume.${way}`), text: t(`resume.${way}_hint`) }))}
          value={how}
          onChange={(way) => setHow(way)}
        />
        {how === 'rerun' && <p className={styles.task}>{record.task}</p>}
        {limit && (
          <Field
            label={tLimits(`limits.${limit}`)}
            hint={t('resume.limit_hint')}
            error={fault && tLimits(`limits.fault.${fault}`)}
          >
            {(control) => (
              <TextInput
                {...control}
                className={styles.short ?? ''}
                inputMode="decimal"
                autoComplete="off"
                placeholder={t('resume.limit_placeholder')}
                value={amount}
                onChange={(event) => setAmount(event.target.value)}
              />
            )}
          </Field>
        )}
        <Problem error={resume.error} />
      </form>
    </Dialog>
  )
}
