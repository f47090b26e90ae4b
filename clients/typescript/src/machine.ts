// What a program knows of the server on its own machine: the environment's variables, and the token in the data folder.
// A page has neither, and knows where it came from.

export type Variables = Readonly<Record<string, string | undefined>>

interface Surroundings {
  location?: unknown
  process?: {
    env?: Variables
    getBuiltinModule?(name: 'node:fs'): { readFileSync(path: string, encoding: 'utf8'): string } | undefined
  }
}

/** Undefined in a page. */
export function variables(): Variables | undefined {
  const { location, process } = globalThis as Surroundings
  return location === undefined ? (process?.env ?? {}) : undefined
}

/** The token that this machine's server made at its first start; undefined if there is none for us to read. */
export function ownToken(environment: Variables): string | undefined {
  // Asked for at run time, so that a bundle for pages has no file system to look for.
  const files = (globalThis as Surroundings).process?.getBuiltinModule?.('node:fs')
  try {
    return files?.readFileSync(`${dataFolder(environment)}/token`, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

/** Whether the address is on this machine: its token must not go to another one because of a URL. */
export function isLoopback(url: string): boolean {
  try {
    const { hostname } = new URL(url)
    return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
  } catch {
    return false
  }
}

function dataFolder({ HOLDFAST_DATA, XDG_DATA_HOME, HOME = '' }: Variables): string {
  // The XDG rules say that a relative folder is to be ignored.
  const base = XDG_DATA_HOME?.startsWith('/') ? XDG_DATA_HOME : `${HOME}/.local/share`
  return HOLDFAST_DATA || `${base}/holdfast`
}
