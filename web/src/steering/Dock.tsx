// What waits for an answer in a session, above the box to write in: one card at a time, and never in a fold.
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { onShortcut } from '@/app/shortcuts'
import { useRecord } from '@/data/sessions'
import type { Asked, Item, ToolItem } from '@/fold/model'
import { useSessionLog } from '@/live/hooks'
import { IconButton } from '@/ui/Button'
import styles from './Dock.module.css'
import { RequestCard } from './RequestCard'
import { useKeptFocus } from './useKeptFocus'

const NONE: readonly Item[] = []

export function Dock({ sessionId, waiting }: { sessionId: string; waiting: readonly Asked[] }) {
  const { t } = useTranslation('steering')
  const { data: record } = useRecord(sessionId)
  const [chosen, setChosen] = useState<string | null>(null)
  const dock = useRef<HTMLElement>(null)
  // One that was looked at and is gone makes room for the oldest.
  const place = Math.max(
    0,
    waiting.findIndex((asked) => asked.requestId === chosen),
  )
  const shown = waiting[place]
  useKeptFocus(dock, shown?.requestId ?? null)

  useEffect(
    () =>
      onShortcut((id) => {
        // Behind all others that listen: the card is where one wants to be, not the first button in it.
        if (id === 'answer') queueMicrotask(() => focusCard(dock.current))
      }),
    [],
  )

  if (!shown) return null
  const go = (step: number) => setChosen(waiting[(place + step + waiting.length) % waiting.length]?.requestId ?? null)

  return (
    <section ref={dock} className={styles.dock} data-dock tabIndex={-1} aria-label={t('dock')}>
      <div className={styles.inside}>
        <Card
          key={shown.requestId}
          sessionId={sessionId}
          asked={shown}
          projectId={record?.project_id}
          aside={
            waiting.length > 1 && (
              <div className={styles.pages}>
                <IconButton label={t('previous')} icon={<ChevronLeft />} size="s" onClick={() => go(-1)} />
                <span>{t('place', { place: place + 1, count: waiting.length })}</span>
                <IconButton label={t('next')} icon={<ChevronRight />} size="s" onClick={() => go(1)} />
              </div>
            )
          }
        />
      </div>
    </section>
  )
}

interface CardProps {
  sessionId: string
  asked: Asked
  projectId: string | undefined
  aside: ReactNode
}

/** Follows the log for the call that is asked about; where nothing is asked, nobody need look at every piece of it. */
function Card({ sessionId, asked, projectId, aside }: CardProps) {
  const items = useSessionLog(sessionId)?.conversation.items ?? NONE
  const toolId = asked.request.tool_id
  const tool = useMemo(() => (toolId === undefined ? null : findTool(items, toolId)), [items, toolId])
  return <RequestCard sessionId={sessionId} open={asked} projectId={projectId} tool={tool} aside={aside} />
}

/** The first thing that can be answered with; on its way there, the card itself. */
function focusCard(dock: HTMLElement | null): void {
  const first = dock?.querySelector<HTMLElement>(
    'form :is(input, textarea, button):enabled, [data-choices] button:enabled',
  )
  const target = first ?? dock
  target?.focus()
}

/** The last call of that id, also one of a subagent. */
function findTool(items: readonly Item[], toolId: string): ToolItem | null {
  for (const item of items.toReversed()) {
    if (item.kind !== 'tool') continue
    const found = item.toolId === toolId ? item : findTool(item.children, toolId)
    if (found) return found
  }
  return null
}
