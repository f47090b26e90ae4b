// Paths as somebody in the session's folder would write them. Pure.

/** The text without the folder in front of it: "/home/me/shop/src/a.py" → "src/a.py". */
export function within(workspace: string, text: string): string {
  const folder = workspace.endsWith('/') ? workspace : `${workspace}/`
  return text.startsWith(folder) && text.length > folder.length ? text.slice(folder.length) : text
}
