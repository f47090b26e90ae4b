// Whether the screen is a phone's, which shows the list or a page, not both.
import { useSyncExternalStore } from 'react'

// As in App.module.css.
const NARROW = '(max-width: 47.5rem)'

export function useNarrow(): boolean {
  return useSyncExternalStore(watch, () => matchMedia(NARROW).matches)
}

function watch(changed: () => void): () => void {
  const query = matchMedia(NARROW)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}
