// What waits for a person's answer, wherever it is shown: above a composer or in the inbox.
import type { PermissionRequest, Question } from 'holdfast-client'

export type OpenRequest = { kind: 'permission'; request: PermissionRequest } | { kind: 'question'; request: Question }
