// The whole page takes files: whether some hang over it, and what was dropped.
import { useEffect, useEffectEvent, useState } from 'react'

export function useDropTarget(onDrop: (transfer: DataTransfer) => void): boolean {
  const [isOver, setOver] = useState(false)
  const dropped = useEffectEvent(onDrop)

  useEffect(() => {
    // Enter and leave come for every element on the way; the page is left when as many were left as entered.
    let depth = 0
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return
      depth += 1
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (!hasFiles(event)) return
      depth = Math.max(0, depth - 1)
      if (depth === 0) setOver(false)
    }
    const over = (event: DragEvent) => {
      if (!hasFiles(event) || !event.dataTransfer) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
    }
    const drop = (event: DragEvent) => {
      depth = 0
      setOver(false)
      if (!hasFiles(event) || !event.dataTransfer) return
      // Otherwise the browser leaves the page and shows the file.
      event.preventDefault()
      dropped(event.dataTransfer)
    }
    window.addEventListener('dragenter', enter)
    window.addEventListener('dragleave', leave)
    window.addEventListener('dragover', over)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragenter', enter)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('dragover', over)
      window.removeEventListener('drop', drop)
    }
  }, [])
  return isOver
}
