// Sentences for screen readers. Whoever has something to say calls `announce`; one region on the page says it.

const NAME = 'holdfast:announce'

export function announce(sentence: string): void {
  window.dispatchEvent(new CustomEvent(NAME, { detail: sentence }))
}

export function onAnnouncement(listener: (sentence: string) => void): () => void {
  const heard = (event: Event) => listener((event as CustomEvent<string>).detail)
  window.addEventListener(NAME, heard)
  return () => window.removeEventListener(NAME, heard)
}
