// The tab's title: what is on the page, and in front how many wait for an answer.
import { useEffect } from 'react'
import { titleWithCount } from '@/inbox/arrivals'
import { useWaitingCount } from '@/inbox/useWaitingCount'

export function useTitle(title: string): void {
  const count = useWaitingCount()
  useEffect(() => {
    document.title = titleWithCount(title ? `${title} · Holdfast` : 'Holdfast', count)
  }, [title, count])
}
