// Starts the session of a form, after looking whether it can be: what is wrong is said, and nothing typed is lost.
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useRun } from '@/data/commands'
import { keys } from '@/data/keys'
import { type Attached, given, UnreadableFile } from './attachments'
import { bodyOf, type Choices } from './choices'
import type { ChosenHandle } from './useChosen'

/** What the server takes as a task. */
const LONGEST = 1_000_000

export interface Fault {
  kind: 'empty' | 'too_long' | 'folder' | 'limits' | 'unreadable'
  /** Of the file. */
  name?: string
}

export interface Sending {
  task: string
  choices: Choices
  chosen: ChosenHandle
  attached: readonly Attached[]
  /** Where no folder is named, the project has its own. */
  isFolderNeeded: boolean
}

/** `onSent` is called when the task is taken, wherever its person is by then; `onStarted` if it is still this page. */
export function useStart(onSent: () => void, onStarted: (sessionId: string) => void) {
  const cache = useQueryClient()
  const run = useRun()
  const [fault, setFault] = useState<Fault | null>(null)
  const [isSending, setSending] = useState(false)
  const isBusy = isSending || run.isPending || run.isSuccess
  // The state is seen with the next rendering only; a second click may come before it.
  const isUnderWay = useRef(false)

  /** Answers what is wrong with it, if something is. */
  async function start(sending: Sending): Promise<Fault | null> {
    if (isBusy || isUnderWay.current) return null
    const found = faultOf(sending) ?? (await send(sending))
    setFault(found)
    return found
  }

  async function send({ task, choices, chosen, attached }: Sending): Promise<Fault | null> {
    setSending(true)
    isUnderWay.current = true
    try {
      const attachments = await given(attached)
      const body = bodyOf({ task: task.trim(), choices, attachments, ...chosen.given })
      const started = run.mutateAsync(body, {
        onSuccess: ({ session_id }) => onStarted(session_id),
        // What stands in the way may be newer than our list of projects.
        onError: () => void cache.invalidateQueries({ queryKey: keys.projects }),
      })
      // What went wrong stands in `error`.
      await started.then(onSent, () => {})
      return null
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      return { kind: 'unreadable', name: error.message }
    } finally {
      setSending(false)
      isUnderWay.current = false
    }
  }

  /** What was wrong with the last attempt may be right in the next. */
  function forget() {
    setFault(null)
    if (run.isError) run.reset()
  }

  return { start, forget, fault, error: run.error, isBusy }
}

function faultOf({ task, choices, chosen, isFolderNeeded }: Sending): Fault | null {
  if (task.trim() === '') return { kind: 'empty' }
  if (task.length > LONGEST) return { kind: 'too_long' }
  if (isFolderNeeded && choices.place === 'folder' && choices.folder.trim() === '') return { kind: 'folder' }
  return Object.keys(chosen.limits.faults).length > 0 ? { kind: 'limits' } : null
}
