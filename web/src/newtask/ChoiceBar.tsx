// One quiet line of what is chosen; each opens the panel where it can be changed.
import { Bot, ChevronDown, FolderOpen, ShieldCheck, SlidersHorizontal } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Tone } from '@/ui/Chip'
import styles from './ChoiceBar.module.css'

export const PANELS = ['agent', 'place', 'profile', 'more'] as const
export type Panel = (typeof PANELS)[number]

const ICONS = { agent: Bot, place: FolderOpen, profile: ShieldCheck, more: SlidersHorizontal } as const

export interface Mark {
  tone: Tone
  word: string
}

export interface ChoiceBarProps {
  panels: readonly Panel[]
  open: Panel | null
  /** What is chosen now, in a few words. */
  chosen: Readonly<Record<Panel, string>>
  /** Something to look at before the start. */
  marks: Readonly<Partial<Record<Panel, Mark>>>
  panelId: string
  onToggle(panel: Panel): void
}

export function ChoiceBar({ panels, open, chosen, marks, panelId, onToggle }: ChoiceBarProps) {
  const { t } = useTranslation('newtask')
  return (
    <ul className={styles.bar} aria-label={t('choices')}>
      {panels.map((panel) => {
        const Icon = ICONS[panel]
        const mark = marks[panel]
        return (
          <li key={panel}>
            <button
              type="button"
              data-panel={panel}
              className={styles.choice}
              aria-expanded={open === panel}
              aria-controls={open === panel ? panelId : undefined}
              onClick={() => onToggle(panel)}
            >
              <Icon aria-hidden="true" />
              <span className="visually-hidden">{t(`bar.${panel}`)}: </span>
              <span className={styles.value}>{chosen[panel]}</span>
              {mark && (
                <span className={styles.mark} data-tone={mark.tone}>
                  {mark.word}
                </span>
              )}
              <ChevronDown aria-hidden="true" className={styles.arrow} />
            </button>
          </li>
        )
      })}
    </ul>
  )
}
