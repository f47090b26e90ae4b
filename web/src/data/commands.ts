// What a person can tell a session to do. Each command's answer goes into the cache; the stream tells the rest.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type AnswerBody,
  type ForkBody,
  HoldfastError,
  type ResumeBody,
  type RunBody,
  type SessionRecord,
  type Started,
  type TaskBody,
} from 'holdfast-client'
import { useServices } from '@/app/Services'
import { keys } from './keys'
import { place } from './refresh'

export function useRun() {
  const { client } = useServices()
  return useStarting((body: RunBody) => client.run(body))
}

export function useTask(id: string) {
  const { client } = useServices()
  return useStarting((body: TaskBody) => client.session(id).task(body))
}

export function useResume(id: string) {
  const { client } = useServices()
  return useStarting((body: ResumeBody) => client.session(id).resume(body))
}

export function useFork(id: string) {
  const { client } = useServices()
  return useStarting((body: ForkBody) => client.session(id).fork(body))
}

export function useCancel(id: string) {
  const { client } = useServices()
  return useTelling(() => client.session(id).cancel())
}

export function usePause(id: string) {
  const { client } = useServices()
  return useTelling(() => client.session(id).pause())
}

export function useDiscard(id: string) {
  const { client } = useServices()
  return useTelling(() => client.session(id).discard())
}

export function useSwitchProfile(id: string) {
  const { client } = useServices()
  return useTelling((profile: string) => client.session(id).profile(profile))
}

export function useAnswer(id: string) {
  const { client } = useServices()
  const cache = useQueryClient()
  return useTelling(
    ({ requestId, body }: { requestId: string; body: AnswerBody }) => client.session(id).answer(requestId, body),
    () => void cache.invalidateQueries({ queryKey: keys.waiting }),
  )
}

/** Commands that start a run: they answer the session's id. */
function useStarting<Body>(command: (body: Body) => Promise<Started>) {
  const { client } = useServices()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: command,
    onSuccess: async ({ session_id }) => {
      try {
        place(cache, await client.session(session_id).record())
      } catch (error) {
        // It has started all the same: whoever was told that it failed would start it twice.
        if (!(error instanceof HoldfastError)) throw error
      }
    },
  })
}

/** Commands that answer the session's record as it is then. */
function useTelling<Body>(command: (body: Body) => Promise<SessionRecord>, settled?: () => void) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: command,
    onSuccess: (record) => place(cache, record),
    ...(settled && { onSettled: settled }),
  })
}
