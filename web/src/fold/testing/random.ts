// Chance that is the same in each run of the tests.

export { seeded as random } from '../../../../clients/typescript/test/random'

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
