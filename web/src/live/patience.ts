// How long a page waits before each attempt to open a stream again, in milliseconds; then it asks the person [R155] [R156].
export const DELAYS = [1_000, 2_000, 4_000, 8_000, 16_000] as const
