// Which server a program talks to, and with which token, if it says neither.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Holdfast, type HoldfastOptions } from '../src/index.js'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-machine-'))
  mkdirSync(join(folder, 'holdfast'))
  writeFileSync(join(folder, 'holdfast', 'token'), 'of the folder\n')
  for (const name of ['HOLDFAST_URL', 'HOLDFAST_TOKEN', 'HOLDFAST_DATA']) vi.stubEnv(name, '')
  vi.stubEnv('XDG_DATA_HOME', folder)
})

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  rmSync(folder, { recursive: true })
})

/** Where a client asks, and with which credential. */
async function asks(options: HoldfastOptions = {}): Promise<[string, string | null]> {
  let asked: [string, string | null] = ['', null]
  const fetch: typeof globalThis.fetch = async (input, init) => {
    asked = [String(input), new Headers(init?.headers).get('authorization')]
    return Response.json({ user: 'local' })
  }
  await new Holdfast({ ...options, fetch }).me()
  return asked
}

test('it is the one of this machine, with the token of its data folder', async () => {
  expect(await asks()).toEqual(['http://127.0.0.1:4653/api/v1/me', 'Bearer of the folder'])
  vi.stubEnv('HOLDFAST_DATA', join(folder, 'elsewhere'))
  expect(await asks()).toEqual(['http://127.0.0.1:4653/api/v1/me', null])
  vi.stubEnv('HOLDFAST_DATA', join(folder, 'holdfast'))
  expect(await asks({ url: 'http://[::1]:1' })).toEqual(['http://[::1]:1/api/v1/me', 'Bearer of the folder'])
})

test('variables come before the folder, and options before variables', async () => {
  vi.stubEnv('HOLDFAST_URL', 'http://localhost:7')
  vi.stubEnv('HOLDFAST_TOKEN', 'of the environment')
  expect(await asks()).toEqual(['http://localhost:7/api/v1/me', 'Bearer of the environment'])
  const given = { url: 'http://localhost:8/', token: 'given' }
  expect(await asks(given)).toEqual(['http://localhost:8/api/v1/me', 'Bearer given'])
})

test('the token of this machine goes to no other machine', async () => {
  expect(await asks({ url: 'https://example.com' })).toEqual(['https://example.com/api/v1/me', null])
  expect(await asks({ url: 'http://127.0.0.1.example.com' })).toEqual(['http://127.0.0.1.example.com/api/v1/me', null])
})

test('a page asks where it came from, with the cookie', async () => {
  vi.stubGlobal('location', { origin: 'http://127.0.0.1:4653' })
  vi.stubEnv('HOLDFAST_TOKEN', 'of the environment')
  expect(await asks()).toEqual(['/api/v1/me', null])
})
