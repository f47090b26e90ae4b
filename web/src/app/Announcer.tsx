// The one live region of the page.
import { useEffect, useState } from 'react'
import { onAnnouncement } from './announce'

export function Announcer() {
  const [said, setSaid] = useState({ sentence: '', count: 0 })
  useEffect(() => onAnnouncement((sentence) => setSaid((before) => ({ sentence, count: before.count + 1 }))), [])
  return (
    <div className="visually-hidden" role="status" aria-live="polite" data-testid="announcer">
      {/* A new element each time: the same sentence said twice is read twice. */}
      <p key={said.count}>{said.sentence}</p>
    </div>
  )
}
