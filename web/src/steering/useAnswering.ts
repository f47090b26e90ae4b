// Sends the answer to one request; the request itself goes when the stream says that it is resolved.
import { type AnswerBody, HoldfastError } from 'holdfast-client'
import { useAnswer } from '@/data/commands'

export interface Answering {
  send(body: AnswerBody): void
  /** On its way, or taken and about to disappear. */
  isBusy: boolean
  isTaken: boolean
  isAnsweredElsewhere: boolean
  error: unknown
}

export function useAnswering(sessionId: string, requestId: string): Answering {
  const answer = useAnswer(sessionId)
  const isAnsweredElsewhere = answer.error instanceof HoldfastError && answer.error.code === 'already_answered'
  return {
    send: (body) => answer.mutate({ requestId, body }),
    isBusy: answer.isPending || answer.isSuccess || isAnsweredElsewhere,
    isTaken: answer.isSuccess,
    isAnsweredElsewhere,
    error: isAnsweredElsewhere ? null : answer.error,
  }
}
