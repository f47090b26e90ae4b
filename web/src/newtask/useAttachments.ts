// The files of the form: added by button, drop and paste, taken away one by one.
import { type ClipboardEvent, useCallback, useState } from 'react'
import { type Attached, type Refused, withFiles } from './attachments'

export interface Attachments {
  attached: readonly Attached[]
  refused: readonly Refused[]
  add(files: readonly File[], folders?: readonly string[]): void
  /** Adds what lies in a drop or in the clipboard; false if that is nothing. */
  take(transfer: DataTransfer): boolean
  paste(event: ClipboardEvent): void
  remove(id: string): void
  clear(): void
}

// Files do not fit into the browser's storage; so long as the page is not loaded anew, they wait here for the form's return.
const kept = new Map<string, readonly Attached[]>()

export function useAttachments(name: string): Attachments {
  const [attached, setAttached] = useState<readonly Attached[]>(() => kept.get(name) ?? [])
  const [refused, setRefused] = useState<readonly Refused[]>([])

  const show = useCallback(
    (files: readonly Attached[], not: readonly Refused[]) => {
      kept.set(name, files)
      setAttached(files)
      setRefused(not)
    },
    [name],
  )
  const add = useCallback(
    (files: readonly File[], folders: readonly string[] = []) => {
      const taken = withFiles(kept.get(name) ?? [], files)
      show(taken.attached, [
        ...taken.refused,
        ...folders.map((folder): Refused => ({ name: folder, size: 0, reason: 'folder' })),
      ])
    },
    [name, show],
  )
  const take = useCallback(
    (transfer: DataTransfer) => {
      const { files, folders } = filesIn(transfer)
      const isSomething = files.length + folders.length > 0
      if (isSomething) add(files, folders)
      return isSomething
    },
    [add],
  )
  const paste = useCallback(
    (event: ClipboardEvent) => {
      // An office program puts a picture of the text beside the text: then the text is meant.
      const isText = event.clipboardData.getData('text/plain') !== ''
      if (!isText && take(event.clipboardData)) event.preventDefault()
    },
    [take],
  )
  const remove = useCallback(
    (id: string) =>
      show(
        (kept.get(name) ?? []).filter((one) => one.id !== id),
        [],
      ),
    [name, show],
  )
  const clear = useCallback(() => show([], []), [show])
  return { attached, refused, add, take, paste, remove, clear }
}

/** Folders are named apart, since the browser gives no content for them. */
function filesIn(transfer: DataTransfer): { files: File[]; folders: string[] } {
  const folders: string[] = []
  const files: File[] = []
  for (const item of transfer.items) {
    if (item.kind !== 'file') continue
    const entry = item.webkitGetAsEntry?.()
    const file = item.getAsFile()
    if (entry?.isDirectory) folders.push(entry.name)
    else if (file) files.push(file)
  }
  return { files, folders }
}
