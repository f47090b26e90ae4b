// A permission request: what the agent wants to do, why it asks, how long it waits, and what may be answered.

import type { Decision, PermissionRequest } from 'holdfast-client'
import { Pencil, ShieldQuestion } from 'lucide-react'
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ToolItem } from '@/fold/model'
import { Button } from '@/ui/Button'
import { AnswerState } from './AnswerState'
import styles from './Card.module.css'
import { Countdown } from './Countdown'
import { DenyForm } from './DenyForm'
import { EditForm } from './EditForm'
import { PermissionSubject } from './PermissionSubject'
import { offersOf } from './permission'
import { Revealed } from './Revealed'
import { shownOf, toolLabel } from './subject'
import { useAnswering } from './useAnswering'
import { useReady } from './useReady'
import { walkButtons } from './walkButtons'

interface PermissionCardProps {
  sessionId: string
  request: PermissionRequest
  projectId: string | undefined
  /** The call as the conversation has it. */
  tool: ToolItem | null
  aside?: ReactNode
}

export function PermissionCard({ sessionId, request, projectId, tool, aside }: PermissionCardProps) {
  const { t } = useTranslation('steering')
  const [mode, setMode] = useState<'choose' | 'deny' | 'edit'>('choose')
  const answering = useAnswering(sessionId, request.request_id)
  const isReady = useReady()
  const headingId = useId()
  const formId = useId()
  const card = useRef<HTMLElement>(null)
  const before = useRef(mode)

  // Whoever leaves a form goes on at the button that opened it.
  useEffect(() => {
    if (mode === 'choose') card.current?.querySelector<HTMLElement>(`[data-opens="${before.current}"]`)?.focus()
    before.current = mode
  }, [mode])

  const { decisions, rule, edit } = offersOf(request)
  const isOff = !isReady || answering.isBusy
  const back = () => setMode('choose')
  const decide = (decision: Decision) => answering.send({ decision })
  const label = toolLabel(request.tool_name)
  const shown = useMemo(() => shownOf(request, tool), [request, tool])
  const scope = projectId === undefined ? 'folder' : 'project'

  return (
    <article ref={card} className={styles.card} aria-labelledby={headingId} aria-busy={answering.isBusy}>
      <header className={styles.head}>
        <ShieldQuestion className={styles.sign} aria-hidden="true" />
        <div className={styles.title}>
          <h2 id={headingId}>{t(`deed.${shown.deed}`, { tool: label })}</h2>
          <span className={styles.tool}>{label}</span>
        </div>
        {aside && <div className={styles.aside}>{aside}</div>}
      </header>
      <div className={styles.body}>
        {mode === 'edit' ? (
          <EditForm id={formId} request={request} answering={answering} onBack={back} />
        ) : (
          <PermissionSubject shown={shown} title={request.title} />
        )}
        {request.reason && mode === 'choose' && (
          <p className={styles.reason}>
            <strong>{t('why')}</strong> <Revealed text={request.reason} />
          </p>
        )}
      </div>
      <AnswerState answering={answering} />
      {mode === 'deny' && <DenyForm answering={answering} onBack={back} />}
      {mode === 'edit' && (
        <div className={styles.choices}>
          <Button type="submit" form={formId} tone="primary" busy={answering.isBusy}>
            {t('edit.send')}
          </Button>
          <Button tone="quiet" disabled={answering.isBusy} onClick={back}>
            {t('back')}
          </Button>
        </div>
      )}
      {mode === 'choose' && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the buttons in it
        <div className={styles.choices} data-choices onKeyDown={walkButtons}>
          {decisions.has('allow_once') && (
            <Button tone="primary" disabled={isOff} busy={answering.isBusy} onClick={() => decide('allow_once')}>
              {t('allow_once')}
            </Button>
          )}
          {decisions.has('allow_session') && (
            <Button disabled={isOff} aria-label={t('allow_session')} onClick={() => decide('allow_session')}>
              {t('for_session')}
            </Button>
          )}
          {decisions.has('allow_project') && (
            <Button disabled={isOff} aria-label={t(`allow_${scope}`)} onClick={() => decide('allow_project')}>
              {t(`for_${scope}`)}
            </Button>
          )}
          {edit && (
            <Button data-opens="edit" tone="quiet" icon={<Pencil />} disabled={isOff} onClick={() => setMode('edit')}>
              {t('edit.open')}
            </Button>
          )}
          {decisions.has('deny') && (
            <Button
              data-opens="deny"
              className={styles.last}
              tone="danger"
              disabled={isOff}
              onClick={() => setMode('deny')}
            >
              {t('deny.open')}
            </Button>
          )}
        </div>
      )}
      <footer className={styles.foot}>
        {rule !== null && mode === 'choose' && (decisions.has('allow_session') || decisions.has('allow_project')) && (
          <p className={styles.rule}>
            {t(`lasting_${scope}`)}{' '}
            <code>
              <Revealed text={rule} />
            </code>
          </p>
        )}
        <Countdown expiresAt={request.expires_at} kind="permission" />
      </footer>
    </article>
  )
}
