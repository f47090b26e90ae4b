// Tells a screen reader what happens, sentence by sentence: the beginning, what the agent says, and the end.
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { announce } from '@/app/announce'
import { stopReasonName } from '@/conversation/stopReason'
import type { Conversation, EndItem, Item, TextItem, UserItem } from '@/fold/model'
import { endOfSentences, spoken } from './sentences'

// A reader needs time to speak; more often than this it would interrupt itself.
const EVERY_MS = 2500
// Of all that came at once: what is older can be read on the page.
const MOST = 2

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
    const sentences = newsOf(conversation.items, state.upTo).map((item) => sentenceOf(item, state))
    // One announcement: of two at the same moment only the second would be heard.
    const words = sentences.filter((sentence) => sentence !== '').join(' ')
    if (words !== '') announce(words)

    function sentenceOf(item: Told, now: Said): string {
      if (item.kind === 'text') return spoken(freshOf(item, now), t('page.code'))
      now.upTo = item.last
      if (item.kind === 'user') return t('page.began')
      return t('page.ended', { reason: tAgent(`stop_reason.${stopReasonName(item.end.stopReason)}`) })
    }
  }, [conversation, isReady, t, tAgent])
}

type Told = UserItem | TextItem | EndItem

function isTold(item: Item): item is Told {
  return item.kind === 'user' || item.kind === 'text' || item.kind === 'end'
}

/** What is to be told of and was not, in its order. What an agent does directly behind its words does not hide them. */
function newsOf(items: readonly Item[], upTo: number): Told[] {
  const news: Told[] = []
  for (let index = items.length - 1; index >= 0 && news.length < MOST; index -= 1) {
    const item = items[index]!
    if (!isTold(item)) continue
    if (item.last <= upTo) break
    news.unshift(item)
  }
  return news
}

/** The whole sentences of a text that were not said yet; none if the last ones were said a moment ago. */
function freshOf({ key, text, isOpen, last }: TextItem, said: Said): string {
  if (said.key !== key) Object.assign(said, { key, characters: 0 })
  const from = said.characters
  const end = isOpen ? endOfSentences(text, from) : text.length
  if (!isOpen) said.upTo = last
  if (end <= from || (isOpen && Date.now() - said.at < EVERY_MS)) return ''
  Object.assign(said, { characters: end, at: Date.now() })
  return text.slice(from, end)
}
