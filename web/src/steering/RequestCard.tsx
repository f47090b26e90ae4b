// One request that waits for a person: permission or questions, the same wherever it stands.
import type { ReactNode } from 'react'
import type { ToolItem } from '@/fold/model'
import { PermissionCard } from './PermissionCard'
import { QuestionForm } from './QuestionForm'
import type { OpenRequest } from './request'

export interface RequestCardProps {
  sessionId: string
  open: OpenRequest
  /** Whose sessions a lasting permission counts for; without a project it is the folder's. */
  projectId: string | undefined
  /** The call that a permission is asked for, as the conversation has it; null where that is not at hand. */
  tool: ToolItem | null
  /** What stands at the right of its heading. */
  aside?: ReactNode
}

export function RequestCard({ sessionId, open, projectId, tool, aside }: RequestCardProps) {
  return open.kind === 'permission' ? (
    <PermissionCard sessionId={sessionId} request={open.request} projectId={projectId} tool={tool} aside={aside} />
  ) : (
    <QuestionForm sessionId={sessionId} question={open.request} aside={aside} />
  )
}
