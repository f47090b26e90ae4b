// Which addresses in an agent's text may be followed or shown.
//
// The attack: an address that runs something (`javascript:`, `data:text/html`), written so that a filter does not see it,
// with blanks, control characters or character references in it. So the address is read by the browser's own parser, and
// what that finds is compared with the few that are allowed.

const FOLLOWED: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:'])

/** The address as it may stand in a link; null for all that is not http, https or mailto. */
export function safeLink(address: string): string | null {
  const url = parsed(address)
  return url && FOLLOWED.has(url.protocol) ? url.href : null
}

// SVG is left out: it is a document that can hold scripts, not just a picture.
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[a-z0-9+/=\s]+$/i

/** A picture that came with the text. One from elsewhere is never loaded: that would tell its server who reads this. */
export function safePicture(address: string): string | null {
  return PICTURE.test(address) ? address : null
}

function parsed(address: string): URL | null {
  try {
    return new URL(address)
  } catch {
    return null
  }
}
