// The conversation of a session: a virtualised list that follows what is new until the reader moves, and never jumps.
import type { SessionRecord } from 'holdfast-client'
import { isActive } from 'holdfast-client'
import { memo, type Ref, useCallback, useImperativeHandle, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Conversation as ConversationState } from '@/fold/model'
import { type Actions, ActionsContext } from './actions'
import styles from './Conversation.module.css'
import { EndButton } from './EndButton'
import { RowFrame } from './RowFrame'
import { useFound } from './useFound'
import { useGestures } from './useGestures'
import { type ReadingPlace, useReading } from './useReading'
import { useRows } from './useRows'
import { useWalk } from './useWalk'
import { wholeCode } from './wholeCode'

export interface ConversationHandle {
  /** Goes to the row of an event, and unfolds what it is in. */
  scrollToSequence(sequence: number): void
  scrollToEnd(): void
}

export interface ConversationProps {
  ref?: Ref<ConversationHandle>
  conversation: ConversationState
  record: SessionRecord
  /** Words to mark. */
  query?: string
  /** Where to begin; changes to it are followed. */
  initial?: ReadingPlace
  /** Hears where the reader is, so that a reload can come back to it. */
  onPlace?(place: ReadingPlace): void
}

/** Another session is another list: nothing of the one before is kept on the screen. */
export const Conversation = memo(function Conversation(props: ConversationProps) {
  return <List key={props.record.session_id} {...props} />
})

function List({ ref, conversation, record, query = '', initial = 'end', onPlace }: ConversationProps) {
  const { t } = useTranslation('conversation')
  const scroller = useRef<HTMLDivElement>(null)
  const { rows, toggle, reveal, isPartial } = useRows(conversation, isActive(record.status), record.session_id)
  const reading = useReading({ scroller, rows, isPartial, head: conversation.head, initial, reveal, onPlace, query })
  const { place } = reading
  const { onKeyDown, ...gestures } = useGestures(scroller, place, rows[0]?.key)
  const walk = useWalk(scroller)
  useFound(scroller, query, reading.items)

  useImperativeHandle(ref, () => ({ scrollToSequence: reading.goTo, scrollToEnd: reading.goToEnd }), [
    reading.goTo,
    reading.goToEnd,
  ])

  const latestRows = useRef(rows)
  latestRows.current = rows
  const onToggle = useCallback(
    (key: string, isUnfolded: boolean) => {
      place.hold(key)
      toggle(key, isUnfolded)
    },
    [place, toggle],
  )
  const actions = useMemo<Actions>(
    () => ({
      sessionId: record.session_id,
      workspace: record.workspace,
      toggle: onToggle,
      wholeCode: (key) => wholeCode(latestRows.current, key),
    }),
    [record.session_id, record.workspace, onToggle],
  )

  const { items, before, behind } = reading
  return (
    <div className={styles.conversation}>
      <section
        ref={scroller}
        className={styles.scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        aria-label={t('label')}
        {...gestures}
        onKeyDown={(event) => {
          onKeyDown(event)
          walk(event)
        }}
      >
        <ActionsContext value={actions}>
          <div
            role="feed"
            aria-label={t('label')}
            className={styles.list}
            style={{ paddingTop: before, paddingBottom: behind }}
          >
            {items.map(({ key, index }) => {
              const row = rows[index]
              return (
                row && (
                  <RowFrame
                    key={key}
                    row={row}
                    index={index}
                    measure={reading.measure}
                    isTarget={reading.target === row.key}
                  />
                )
              )
            })}
          </div>
        </ActionsContext>
      </section>
      {!reading.isFollowing && <EndButton count={conversation.head - reading.seen} onClick={reading.goToEnd} />}
    </div>
  )
}
