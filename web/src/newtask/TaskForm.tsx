// A task with all that it can be given: the words in front, the choices in one line below them.
import { ArrowUp } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isMac } from '@/app/shortcuts'
import { Button } from '@/ui/Button'
import { Kbd } from '@/ui/Kbd'
import { AttachButton } from './AttachButton'
import { AttachmentList } from './AttachmentList'
import { ChoiceBar, PANELS, type Panel } from './ChoiceBar'
import { DropHint } from './DropHint'
import { OpenPanel } from './OpenPanel'
import { StartProblem } from './StartProblem'
import { TaskBox } from './TaskBox'
import styles from './TaskForm.module.css'
import { useAttachments } from './useAttachments'
import { useChosen } from './useChosen'
import { useDraft } from './useDraft'
import { useDropTarget } from './useDropTarget'
import { useStart } from './useStart'

export interface TaskFormProps {
  /** Under this name its draft is kept. */
  name: string
  /** What stands in the field until somebody types. */
  preset?: string
  /** Given by the page: then there is no choice of a place. Without a folder it has its own. */
  project?: { id: string; folder: string; agent: string }
  startLabel?: string
  onStarted(sessionId: string): void
}

export function TaskForm({ name, preset = '', project, startLabel, onStarted }: TaskFormProps) {
  const { t } = useTranslation('newtask')
  const { draft, setTask, choose, sent } = useDraft(name, project && { agent: project.agent })
  const choices = project
    ? { ...draft.choices, place: 'folder' as const, projectName: project.id, folder: project.folder }
    : draft.choices
  const chosen = useChosen(choices)
  const files = useAttachments(name)
  const { start, forget, fault, error, isBusy } = useStart(() => {
    sent()
    files.clear()
  }, onStarted)
  const [open, setOpen] = useState<Panel | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const panelId = useId()
  const faultId = useId()

  const isOver = useDropTarget(files.take)
  const task = draft.task ?? preset

  async function send() {
    const found = await start({ task, choices, chosen, attached: files.attached, isFolderNeeded: !project })
    if (found?.kind === 'folder') setOpen('place')
    if (found?.kind === 'limits') setOpen('more')
    if (found?.kind === 'empty') form.current?.querySelector('textarea')?.focus()
  }

  function submitted(event: FormEvent) {
    event.preventDefault()
    void send()
  }

  function pressed(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !open) return
    form.current?.querySelector<HTMLElement>(`[data-panel="${open}"]`)?.focus()
    setOpen(null)
  }

  return (
    <form ref={form} className={styles.form} data-composer onSubmit={submitted} onKeyDown={pressed} noValidate>
      <div className={styles.card}>
        <TaskBox
          value={task}
          focusOnDesk={!project}
          describedBy={fault ? faultId : undefined}
          onChange={(text) => {
            setTask(text)
            forget()
          }}
          onPaste={files.paste}
          onStart={() => void send()}
        />
        <AttachmentList attached={files.attached} refused={files.refused} onRemove={files.remove} />
        <div className={styles.foot}>
          <ChoiceBar
            panels={project ? PANELS.filter((panel) => panel !== 'place') : PANELS}
            open={open}
            chosen={chosen.words}
            marks={chosen.marks}
            panelId={panelId}
            onToggle={(panel) => setOpen(open === panel ? null : panel)}
          />
          <div className={styles.send}>
            <AttachButton label={t('attach')} onFiles={files.add} />
            <Button type="submit" tone="primary" icon={<ArrowUp />} busy={isBusy}>
              {startLabel ?? t('start')}
            </Button>
          </div>
        </div>
        {open && (
          <div id={panelId} className={styles.panel}>
            <OpenPanel
              panel={open}
              choices={choices}
              chosen={chosen}
              onChoose={(some) => {
                choose(some)
                forget()
              }}
            />
          </div>
        )}
      </div>
      {fault && (
        <p id={faultId} className={styles.fault} role="alert">
          {t(`fault.${fault.kind}`, { name: fault.name })}
        </p>
      )}
      <StartProblem
        error={error}
        projectId={choices.place === 'folder' ? choices.projectName.trim() : choices.projectId}
      />
      <p className={styles.hint}>
        <span>
          <Kbd>{isMac ? '⌘' : 'Ctrl'}</Kbd> <Kbd>↵</Kbd> {t('hint.start')}
        </span>
        <span>{t('hint.files')}</span>
      </p>
      {isOver && <DropHint />}
    </form>
  )
}
