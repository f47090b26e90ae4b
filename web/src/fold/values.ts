// Parts of what agents say, of which nothing is known before one has looked.

export type JsonObject = Readonly<Record<string, unknown>>

/** The object that is expected here; anything else counts as an empty one. */
export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}

/** The objects of the list that is expected here; what else is there does not count. */
export function asObjects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(asObject).filter((item) => Object.keys(item).length > 0) : []
}

/** The text that is expected here; null for anything else, and for an empty one. */
export function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

export function asNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
