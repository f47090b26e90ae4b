// The files that go along with a task: how many and how much fits, and how they are sent.
import type { GivenAttachment } from 'holdfast-client'

export interface Attached {
  id: string
  name: string
  file: File
}

export interface Refused {
  name: string
  size: number
  reason: 'too_many' | 'too_large' | 'folder'
}

export const MOST_FILES = 50
const BODY_BYTES = 32 * 1024 * 1024
// For the task, the choices, and what stands around each file in the body.
const SPARE_BYTES = 256 * 1024
/** What fits as files: Base64 makes four bytes of three. */
export const MOST_BYTES = Math.floor(((BODY_BYTES - SPARE_BYTES) * 3) / 4)

export function bytesOf(attached: readonly Attached[]): number {
  return attached.reduce((sum, one) => sum + one.file.size, 0)
}

/** Takes what fits, in the order in which it came, and says what does not. */
export function withFiles(
  before: readonly Attached[],
  files: readonly File[],
): { attached: Attached[]; refused: Refused[] } {
  const attached = [...before]
  const refused: Refused[] = []
  let room = MOST_BYTES - bytesOf(before)
  for (const file of files) {
    const { name, size } = file
    if (attached.length >= MOST_FILES) refused.push({ name, size, reason: 'too_many' })
    else if (size > room) refused.push({ name, size, reason: 'too_large' })
    else {
      attached.push({ id: newId(), name: freeName(name || 'file', attached), file })
      room -= size
    }
  }
  return { attached, refused }
}

let count = 0
function newId(): string {
  count += 1
  return `file-${count}`
}

/** Pasted pictures are all called image.png; the agent has to tell them apart. */
function freeName(name: string, attached: readonly Attached[]): string {
  const taken = new Set(attached.map((one) => one.name))
  const [, stem = name, ending = ''] = /^(.+?)(\.[^.]*)?$/s.exec(name) ?? []
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${stem}-${number}${ending}`
    if (!taken.has(candidate)) return candidate
  }
}

export function isPicture(file: File): boolean {
  return /^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml)$/.test(file.type)
}

/** A file that was there when it was chosen, and is not any more. */
export class UnreadableFile extends Error {
  constructor(name: string, options: ErrorOptions) {
    super(name, options)
    this.name = 'UnreadableFile'
  }
}

/** Throws UnreadableFile. */
export function given(attached: readonly Attached[]): Promise<GivenAttachment[]> {
  return Promise.all(
    attached.map(async ({ name, file }) => ({ name, media_type: mediaType(file), data: await base64(name, file) })),
  )
}

function mediaType(file: File): string {
  return /^[\w.+-]+\/[\w.+-]+$/.test(file.type) ? file.type : 'application/octet-stream'
}

// Each piece a multiple of three bytes, so that the pieces' texts joined are the text of the whole.
const PIECE = 3 * 8192

async function base64(name: string, file: File): Promise<string> {
  const bytes = await content(name, file)
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += PIECE) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE))))
  }
  return pieces.join('')
}

async function content(name: string, file: File): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.arrayBuffer())
  } catch (cause) {
    throw new UnreadableFile(name, { cause })
  }
}
