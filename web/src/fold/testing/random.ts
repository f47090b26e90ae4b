// Chance that is the same in each run of the tests.

/** Numbers from 0 to below 1 (mulberry32). */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The list in pieces of 1 to `most`. */
export function pieces<T>(list: readonly T[], next: () => number, most = 12): T[][] {
  const found: T[][] = []
  for (let at = 0; at < list.length; ) {
    const size = 1 + Math.floor(next() * most)
    found.push(list.slice(at, at + size))
    at += size
  }
  return found
}
