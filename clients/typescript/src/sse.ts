// Server-sent events, bytes to frames: pure, incremental, and indifferent to how the bytes were cut.

export interface Frame {
  /** `message` if the frame names none. */
  event: string
  /** The id of this very frame; frames without one stand for nothing in the log. */
  id: string | undefined
  data: string
}

/** Feed it chunks; it answers the frames that they complete, as the HTML standard defines them. */
export class SseParser {
  /** What the server last asked for, in milliseconds. */
  retryMs: number | undefined

  // It takes characters that are cut in two, and drops a byte order mark at the beginning.
  readonly #decoder = new TextDecoder()
  // Parts are joined only at the line's end: joining at every chunk is quadratic for a long line.
  #parts: string[] = []
  #afterCr = false
  #event = ''
  #id: string | undefined
  #data: string | undefined

  feed(chunk: Uint8Array): Frame[] {
    const frames: Frame[] = []
    const text = this.#lines(this.#decoder.decode(chunk, { stream: true }))
    let begin = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', begin)) {
      let line = text.slice(begin, end)
      begin = end + 1
      if (this.#parts.length > 0) {
        line = this.#parts.join('') + line
        this.#parts = []
      }
      const frame = line === '' ? this.#dispatch() : this.#field(line)
      if (frame) frames.push(frame)
    }
    if (begin < text.length) this.#parts.push(text.slice(begin))
    return frames
  }

  /** The text with LF as its only line end. A CR ends its line at once, so an LF that comes next is dropped. */
  #lines(text: string): string {
    if (text === '') return text
    const rest = this.#afterCr && text.startsWith('\n') ? text.slice(1) : text
    this.#afterCr = text.endsWith('\r')
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest
  }

  #field(line: string): undefined {
    const colon = line.indexOf(':')
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(line.charCodeAt(colon + 1) === 32 ? colon + 2 : colon + 1)
    if (name === 'data') this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`
    else if (name === 'id' && !value.includes('\0')) this.#id = value
    else if (name === 'event') this.#event = value
    else if (name === 'retry' && /^\d{1,9}$/.test(value)) this.retryMs = Number(value)
    // Everything else is a comment (no name) or a field of the future.
  }

  #dispatch(): Frame | undefined {
    const data = this.#data
    const frame = data === undefined ? undefined : { event: this.#event || 'message', id: this.#id, data }
    this.#event = ''
    this.#id = undefined
    this.#data = undefined
    return frame
  }
}
