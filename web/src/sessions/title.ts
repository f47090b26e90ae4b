// A session's name on the screen: the first line of its task in which there is something to see.
const LONGEST = 140
// Letters, digits and signs; no blanks, also none of those that have no width.
const SEEN = /[\p{L}\p{N}\p{P}\p{S}]/u
// What is left of a character of two parts that was cut between them.
const HALF = /[\ud800-\udbff]$/

export function titleOf(task: string): string {
  const line = task
    .split('\n')
    .map((one) => one.trim())
    .find((one) => SEEN.test(one))
  if (!line) return '…'
  return line.length > LONGEST ? `${line.slice(0, LONGEST).replace(HALF, '').trimEnd()}…` : line
}
