// The address of a project's page. A project's id may hold anything, also slashes and percent signs.
const PLACE = '/projects/'

export function projectPath(id: string, folder = ''): string {
  return PLACE + encodeURIComponent(id) + (folder ? `?folder=${encodeURIComponent(folder)}` : '')
}

/** From the address as it is: the router has decoded half of it, which cannot be undone. */
export function projectIdIn(pathname: string): string {
  const encoded = pathname.slice(PLACE.length)
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}
