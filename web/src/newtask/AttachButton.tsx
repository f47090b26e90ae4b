// Lets somebody choose files to go along with a task.
import { Paperclip } from 'lucide-react'
import { useRef } from 'react'
import { IconButton } from '@/ui/Button'

interface AttachButtonProps {
  label: string
  className?: string | undefined
  onFiles(files: readonly File[]): void
}

export function AttachButton({ label, className, onFiles }: AttachButtonProps) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton className={className} label={label} icon={<Paperclip />} onClick={() => picker.current?.click()} />
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          // The same file may be taken away and chosen again.
          event.target.value = ''
        }}
      />
    </>
  )
}
