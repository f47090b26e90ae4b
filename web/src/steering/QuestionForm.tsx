// An agent's questions as a form: checked before it is sent, or declined.
import type { Question } from 'holdfast-client'
import { ExternalLink, MessageCircleQuestion } from 'lucide-react'
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/Button'
import { AnswerState } from './AnswerState'
import styles from './Card.module.css'
import { Countdown } from './Countdown'
import { QuestionField } from './QuestionField'
import { answersOf, type FieldValue, initialValues, openable, problemsOf } from './questions'
import { Revealed } from './Revealed'
import { useAnswering } from './useAnswering'
import { useReady } from './useReady'

interface QuestionFormProps {
  sessionId: string
  question: Question
  aside?: ReactNode
}

export function QuestionForm({ sessionId, question, aside }: QuestionFormProps) {
  const { t, i18n } = useTranslation('steering')
  const [values, setValues] = useState(() => initialValues(question))
  const [isChecked, setChecked] = useState(false)
  const answering = useAnswering(sessionId, question.request_id)
  const isReady = useReady()
  const form = useRef<HTMLFormElement>(null)
  const headingId = useId()

  const problems = isChecked ? problemsOf(question, values, i18n.language) : {}
  const isOff = !isReady || answering.isBusy
  const url = openable(question.url)
  const items = question.questions
  // Questions that stand below anyway need not be said above them.
  const isSaidBelow = items.length > 0 && question.text === items.map((item) => item.text).join('\n')

  function change(id: string, value: FieldValue) {
    setValues((before) => ({ ...before, [id]: value }))
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isOff) return
    setChecked(true)
    const first = Object.keys(problemsOf(question, values, i18n.language))[0]
    if (first === undefined) answering.send(answersOf(question, values, i18n.language))
    else
      form.current?.querySelectorAll<HTMLElement>('[data-field]')[items.findIndex((item) => item.id === first)]?.focus()
  }

  return (
    <article className={styles.card} aria-labelledby={headingId} aria-busy={answering.isBusy}>
      <header className={styles.head}>
        <MessageCircleQuestion className={styles.sign} aria-hidden="true" />
        <h2 id={headingId}>{t(items.length > 1 ? 'question.some' : url ? 'question.visit' : 'question.one')}</h2>
        {aside && <div className={styles.aside}>{aside}</div>}
      </header>
      {/* Checked by us, so that what is wrong is said in the reader's language and stays to be read. */}
      <form ref={form} className={styles.form} onSubmit={submit} noValidate>
        <div className={styles.body}>
          {!isSaidBelow && (
            <p className={styles.text}>
              <Revealed text={question.text} />
            </p>
          )}
          {url && (
            <a className={styles.link} href={url} target="_blank" rel="noreferrer noopener">
              <ExternalLink aria-hidden="true" />
              {url}
            </a>
          )}
          {items.map((item) => (
            <QuestionField
              key={item.id}
              item={item}
              value={values[item.id]!}
              problem={problems[item.id]}
              disabled={answering.isBusy}
              onChange={(value) => change(item.id, value)}
            />
          ))}
        </div>
        <AnswerState answering={answering} />
        <div className={styles.choices}>
          <Button type="submit" tone="primary" disabled={isOff} busy={answering.isBusy}>
            {t(items.length > 0 ? 'question.send' : 'question.done')}
          </Button>
          <Button className={styles.last} disabled={isOff} onClick={() => answering.send({ decision: 'deny' })}>
            {t('question.decline')}
          </Button>
        </div>
      </form>
      <footer className={styles.foot}>
        {items.some((item) => item.required) && items.some((item) => !item.required) && <p>{t('question.marks')}</p>}
        <Countdown expiresAt={question.expires_at} kind="question" />
      </footer>
    </article>
  )
}
