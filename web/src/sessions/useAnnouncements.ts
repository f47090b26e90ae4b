// Tells a screen reader what happens, sentence by sentence: the beginning, what the agent says, and the end.
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { announce } from '@/app/announce'
import type { Conversation } from '@/fold/model'
import { endOfSentences, spoken } from './sentences'

// A reader needs time to speak; more often than this it would interrupt itself.
const EVERY_MS = 2500

interface Said {
  /** Items up to this sequence are old news. */
  upTo: number
  key: string | null
  characters: number
  at: number
}

export function useAnnouncements(conversation: Conversation, isReady: boolean): void {
  const { t } = useTranslation('sessions')
  const { t: tAgent } = useTranslation('agent')
  const said = useRef<Said | null>(null)

  useEffect(() => {
    if (!isReady) return
    // What was there when the page was opened can be read on the page.
    said.current ??= { upTo: conversation.head, key: null, characters: 0, at: 0 }
    const state = said.current
    const last = conversation.items.at(-1)
    if (!last || last.last <= state.upTo) return
    if (last.kind === 'end') {
      state.upTo = last.last
      announce(
        t('page.ended', {
          reason: tAgent(`stop_reason.${last.end.stopReason ?? 'unknown'}`, {
            defaultValue: tAgent('stop_reason.unknown'),
          }),
        }),
      )
    } else if (last.kind === 'user') {
      state.upTo = last.last
      announce(t('page.began'))
    } else if (last.kind === 'text') {
      if (state.key !== last.key) Object.assign(state, { key: last.key, characters: 0 })
      const end = last.isOpen ? endOfSentences(last.text, state.characters) : last.text.length
      if (end <= state.characters || (last.isOpen && Date.now() - state.at < EVERY_MS)) return
      announce(spoken(last.text.slice(state.characters, end), t('page.code')))
      Object.assign(state, { characters: end, at: Date.now(), upTo: last.isOpen ? state.upTo : last.last })
    }
  }, [conversation, isReady, t, tAgent])
}
