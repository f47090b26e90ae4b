// What the log-in reads: the token as it was pasted, and the page to go to afterwards, if it is one of ours.

/** Only a path of this origin: "//evil.example", "/\evil.example" and "https://…" would leave it. */
export function nextPath(search: string, origin: string): string {
  const wanted = new URLSearchParams(search).get('next')
  if (!wanted?.startsWith('/') || /^\/[/\\]/.test(wanted)) return '/'
  // The URL parser drops tabs and line ends, so "/\t/evil.example" has to be judged by what it makes of it.
  if (!URL.canParse(wanted, origin)) return '/'
  const url = new URL(wanted, origin)
  if (url.origin !== origin || url.pathname.startsWith('//') || url.pathname === '/login') return '/'
  return url.pathname + url.search + url.hash
}

export function isWrong(search: string): boolean {
  return new URLSearchParams(search).has('wrong')
}

/** Who pastes the whole address that the server printed means the token in it. */
export function tokenIn(text: string): string {
  const inAddress = /[?&]token=([^&\s#]+)/.exec(text)?.[1]
  return inAddress === undefined ? text.trim() : decodeURIComponent(inAddress)
}
