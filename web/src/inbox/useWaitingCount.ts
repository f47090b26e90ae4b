// How many requests wait for an answer, over all sessions.
import { useWaiting } from '@/data/sessions'

export function useWaitingCount(): number {
  return useWaiting().data?.length ?? 0
}
