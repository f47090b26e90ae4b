// A path that is being typed: which folder to look into, and what in there fits.

export interface Typed {
  /** The folder whose folders are offered; "~" is the server's home. */
  base: string
  /** What the wanted folder's name begins with. */
  prefix: string
}

export function typed(path: string): Typed {
  const trimmed = path.trim()
  if (trimmed === '' || trimmed === '~') return { base: '~', prefix: '' }
  const slash = trimmed.lastIndexOf('/')
  // Without a slash it is no path yet: what stands there is looked for in the home.
  if (slash < 0) return { base: '~', prefix: trimmed }
  return { base: slash === 0 ? '/' : trimmed.slice(0, slash), prefix: trimmed.slice(slash + 1) }
}

/** The names that fit; those that begin like it in the same case first. */
export function fitting(names: readonly string[], prefix: string): string[] {
  const low = prefix.toLocaleLowerCase()
  const fit = names.filter((name) => name.toLocaleLowerCase().startsWith(low))
  return [...fit.filter((name) => name.startsWith(prefix)), ...fit.filter((name) => !name.startsWith(prefix))]
}

/** With a slash at the end, so that what is in it is offered next. */
export function into(base: string, name: string): string {
  return `${base === '/' ? '' : base}/${name}/`
}
