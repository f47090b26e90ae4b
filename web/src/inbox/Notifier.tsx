// Tells that an agent waits for a person: a sentence for screen readers, and a notification where nobody looks.
import type { Waiting } from 'holdfast-client'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { announce } from '@/app/announce'
import { useWaiting } from '@/data/sessions'
import { titleOf } from '@/sessions/title'
import { canNotify, wantsNotifications } from '@/settings/notifications'
import { toolLabel } from '@/steering/subject'
import { changesOf } from './arrivals'
import { isAnyTabSeen, useSeenTab } from './seenTabs'

export function Notifier() {
  const { t } = useTranslation('inbox')
  const [, navigate] = useLocation()
  const { data: waiting } = useWaiting()
  const before = useRef<readonly Waiting[] | null>(null)
  const shown = useRef(new Map<string, Notification>())
  useSeenTab()

  useEffect(() => {
    if (!waiting) return
    const { arrived, gone } = changesOf(before.current, waiting)
    before.current = waiting

    for (const one of arrived) {
      const about = { tool: toolOf(one), task: titleOf(one.task) }
      announce(t(one.type === 'question' ? 'announce.question' : 'announce.permission', about))
      void notify(one)
    }
    for (const one of gone) {
      announce(t('announce.answered', { what: one.type === 'question' ? t('announce.a_question') : toolOf(one) }))
      shown.current.get(one.request.request_id)?.close()
      shown.current.delete(one.request.request_id)
    }

    async function notify(one: Waiting) {
      if (canNotify() !== 'granted' || !wantsNotifications() || (await isAnyTabSeen())) return
      const id = one.request.request_id
      // It may have been answered while we looked.
      if (!before.current?.some(({ request }) => request.request_id === id)) return
      // The tool's name and no more: what it would do may be nobody's business who sees the screen. All tabs give it
      // the same tag, so the system shows one.
      const words =
        one.type === 'question' ? t('notification.question') : t('notification.permission', { tool: toolOf(one) })
      const notification = new Notification(words, { tag: id, icon: '/icon.svg' })
      shown.current.set(id, notification)
      notification.onclick = () => {
        window.focus()
        navigate(`/sessions/${one.session_id}`)
        notification.close()
      }
    }
  }, [waiting, t, navigate])

  return null
}

function toolOf(waiting: Waiting): string {
  return waiting.type === 'permission_request' ? toolLabel(waiting.request.tool_name) : ''
}
