import { describe, expect, test } from 'vitest'
import { type Attached, bytesOf, given, MOST_BYTES, MOST_FILES, UnreadableFile, withFiles } from './attachments'

/** A file that says a size without having it. */
function sized(name: string, size: number): File {
  return Object.defineProperty(new File([], name), 'size', { value: size })
}

describe('attachments', () => {
  test('as many as fit are taken, and those that do not are named', () => {
    const files = Array.from({ length: MOST_FILES + 2 }, (_, n) => new File(['x'], `${n}.txt`))
    const { attached, refused } = withFiles([], files)
    expect(attached).toHaveLength(MOST_FILES)
    expect(refused.map(({ name, reason }) => [name, reason])).toEqual([
      ['50.txt', 'too_many'],
      ['51.txt', 'too_many'],
    ])
  })

  test('all of them together fit into a body of 32 MiB although Base64 adds a third', () => {
    expect(Math.ceil(MOST_BYTES / 3) * 4).toBeLessThan(32 * 1024 * 1024)
    const half = Math.floor(MOST_BYTES / 2) - 1
    const { attached, refused } = withFiles([], [sized('a', half), sized('b', half), sized('c', half), sized('d', 1)])
    expect(attached.map(({ name }) => name)).toEqual(['a', 'b', 'd'])
    expect(refused).toEqual([{ name: 'c', size: half, reason: 'too_large' }])
    expect(bytesOf(attached)).toBeLessThanOrEqual(MOST_BYTES)
  })

  test('two pictures from the clipboard get two names', () => {
    const picture = () => new File(['x'], 'image.png', { type: 'image/png' })
    const first = withFiles([], [picture(), picture()]).attached
    const all = withFiles(first, [picture(), new File(['x'], 'Makefile'), new File(['y'], 'Makefile')]).attached
    expect(all.map(({ name }) => name)).toEqual(['image.png', 'image-2.png', 'image-3.png', 'Makefile', 'Makefile-2'])
  })

  test('what is sent is what the file holds, byte by byte', async () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, n) => (n * 7 + (n >> 8)) & 255)
    const attached: Attached[] = withFiles(
      [],
      [new File([bytes], 'b.bin'), new File([], 'empty.txt', { type: 'text/plain' })],
    ).attached
    const [first, second] = await given(attached)
    expect(first?.media_type).toBe('application/octet-stream')
    expect(Buffer.from(first?.data ?? '', 'base64').equals(Buffer.from(bytes))).toBe(true)
    expect(second).toEqual({ name: 'empty.txt', media_type: 'text/plain', data: '' })
  })

  test('a file that is gone is named', async () => {
    const gone = Object.assign(new File(['x'], 'gone.txt'), {
      arrayBuffer: () => Promise.reject(new Error('NotFoundError')),
    })
    await expect(given(withFiles([], [gone]).attached)).rejects.toThrow(new UnreadableFile('gone.txt', {}))
  })
})
