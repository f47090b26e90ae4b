// The box to write to an agent: a draft that is never lost, files by button, drop and paste, and what sending will do.
import type { SessionRecord } from 'holdfast-client'
import { SendHorizontal } from 'lucide-react'
import { type KeyboardEvent, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { announce } from '@/app/announce'
import { Problem } from '@/data/Problem'
import { AttachButton } from '@/newtask/AttachButton'
import { AttachmentList } from '@/newtask/AttachmentList'
import { DropHint } from '@/newtask/DropHint'
import { useAttachments } from '@/newtask/useAttachments'
import { useDropTarget } from '@/newtask/useDropTarget'
import { Button } from '@/ui/Button'
import styles from './Composer.module.css'
import { possibleOf } from './possible'
import { useDraft } from './useDraft'
import { useGrowing } from './useGrowing'
import { useSending } from './useSending'

// A task is text and attachments; with nothing but blanks the server would refuse it.
const isEmpty = (text: string) => text.trim() === ''

export function Composer({ record }: { record: SessionRecord }) {
  const { t } = useTranslation('steering')
  const { text, write: setText, sent: wordsSent } = useDraft(record.session_id)
  const attachments = useAttachments(`session ${record.session_id}`)
  const sending = useSending(record)
  const box = useRef<HTMLTextAreaElement>(null)
  const hintId = useId()
  useGrowing(box, text)
  const isOver = useDropTarget(attachments.take)

  const state = stateOf(record)
  const isOff = state === 'busy' || state === 'waiting'
  const isUsual = !isOff && state !== 'fresh'
  const hint = t(`composer.hint.${isUsual ? 'keys' : state}`)

  const message = { task: text, files: attachments.attached }
  function sent() {
    wordsSent(message.task)
    for (const { id } of message.files) attachments.remove(id)
  }

  function send() {
    if (isOff) announce(hint)
    else if (!isEmpty(text) && !sending.isPending) sending.send(message, sent)
  }

  function pressed(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key === 'ArrowUp' && text === '') {
      event.preventDefault()
      setText(record.task)
    }
    // While a word is being composed (Japanese, Chinese …) Enter ends the word; on touch it breaks the line.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    if (!(event.ctrlKey || event.metaKey) && matchMedia('(pointer: coarse)').matches) return
    event.preventDefault()
    send()
  }

  return (
    <form
      className={styles.composer}
      data-composer
      aria-label={t('composer.form')}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <div className={styles.inside}>
        <Problem
          error={sending.error}
          action={
            sending.canStartAfresh && (
              <Button size="s" onClick={() => sending.startAfresh(message, sent)}>
                {t('composer.start_afresh')}
              </Button>
            )
          }
        />
        <div className={styles.box}>
          {isOver && <DropHint />}
          <div className={styles.files}>
            <AttachmentList
              attached={attachments.attached}
              refused={attachments.refused}
              onRemove={attachments.remove}
            />
          </div>
          <textarea
            className={styles.text}
            ref={box}
            rows={1}
            value={text}
            aria-label={t('composer.label')}
            aria-describedby={hintId}
            placeholder={t(`composer.placeholder.${state}`)}
            enterKeyHint="enter"
            onChange={(event) => setText(event.target.value)}
            onKeyDown={pressed}
            onPaste={attachments.paste}
          />
          <AttachButton className={styles.clip} label={t('composer.attach')} onFiles={attachments.add} />
          <p id={hintId} className={`${styles.hint} ${isUsual ? styles.keys : ''}`}>
            {hint}
          </p>
          <Button
            className={styles.send ?? ''}
            type="submit"
            tone="primary"
            icon={<SendHorizontal />}
            disabled={isOff || isEmpty(text)}
            busy={sending.isPending}
            title={isOff ? hint : undefined}
          >
            <span className={styles.word}>{t(state === 'fresh' ? 'composer.start' : 'composer.send')}</span>
          </Button>
        </div>
      </div>
    </form>
  )
}

/** What sending would do now. */
function stateOf(record: SessionRecord): 'busy' | 'waiting' | 'paused' | 'interrupted' | 'next' | 'fresh' {
  const { task } = possibleOf(record)
  const { status } = record
  if (task === 'never') return 'fresh'
  if (task === 'later') return status === 'waiting' ? 'waiting' : 'busy'
  return status === 'paused' || status === 'interrupted' ? status : 'next'
}
