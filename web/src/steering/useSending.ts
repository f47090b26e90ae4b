// Gives a session its next task; one that cannot go on gets a session after it, with the same agent in the same place.
import { useMutation } from '@tanstack/react-query'
import { HoldfastError, type SessionRecord, type Started, type TaskBody } from 'holdfast-client'
import { useLocation } from 'wouter'
import { useRun, useTask } from '@/data/commands'
import { type Attached, given } from '@/newtask/attachments'
import { possibleOf } from './possible'

export interface Message {
  task: string
  files: readonly Attached[]
}

export interface Sending {
  /** `done` is called once it is taken; until then, and after an error, everything stays as it was. */
  send(message: Message, done: () => void): void
  startAfresh(message: Message, done: () => void): void
  isPending: boolean
  error: unknown
  /** The server says that this session cannot go on, but another one could. */
  canStartAfresh: boolean
}

export function useSending(record: SessionRecord): Sending {
  const [, navigate] = useLocation()
  const task = useTask(record.session_id)
  const run = useRun()

  const sending = useMutation({
    mutationFn: async ({ message, afresh, done }: { message: Message; afresh: boolean; done: () => void }) => {
      const attachments = await given(message.files)
      const body = { task: message.task, ...(attachments.length > 0 && { attachments }) }
      const started = await (afresh ? begin(body) : task.mutateAsync(body))
      // Not left to the page: it may be gone by now, and what was sent would stand in the box to be sent again.
      done()
      return started
    },
  })

  function begin(body: TaskBody): Promise<Started> {
    const { agent, project_id, workspace } = record
    return run.mutateAsync({ ...body, config: { agent, project_id, workspace } })
  }

  function go(message: Message, afresh: boolean, done: () => void) {
    sending.mutate(
      { message, afresh, done },
      {
        onSuccess: ({ session_id }) => {
          // A project has one session: then the new run stands here too.
          if (session_id !== record.session_id) navigate(`/sessions/${session_id}`)
        },
      },
    )
  }

  return {
    send: (message, done) => go(message, possibleOf(record).task === 'never', done),
    startAfresh: (message, done) => go(message, true, done),
    isPending: sending.isPending,
    error: sending.error,
    canStartAfresh: sending.error instanceof HoldfastError && sending.error.code === 'not_resumable',
  }
}
