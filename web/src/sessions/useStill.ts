// The conversation for what stands around it: another value only if more than its items has changed.
//
// While a text streams in, the conversation is a new value twenty times a second; the head and the dock need not look.
import { useRef } from 'react'
import type { Conversation } from '@/fold/model'

export function useStill(conversation: Conversation): Conversation {
  const still = useRef(conversation)
  const before = still.current
  const isChanged =
    before.runs !== conversation.runs ||
    before.waiting !== conversation.waiting ||
    before.todos !== conversation.todos ||
    before.facts !== conversation.facts
  if (isChanged) still.current = conversation
  return still.current
}
