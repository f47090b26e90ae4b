// Which component shows which kind of row.
import type { ReactNode } from 'react'
import { AskedLine } from './AskedLine'
import { BlockView } from './BlockView'
import { Divider } from './Divider'
import { EndView } from './EndView'
import { GroupLine } from './GroupLine'
import { NoteLine } from './NoteLine'
import { OutputView } from './OutputView'
import type { Row } from './row'
import { SubagentLine } from './SubagentLine'
import { TextView } from './TextView'
import { ThinkingLine } from './ThinkingLine'
import { TodoList } from './TodoList'
import { ToolLine } from './ToolLine'
import { UserMessage } from './UserMessage'
import { WorkingLine } from './WorkingLine'

export function RowView({ row }: { row: Row }): ReactNode {
  switch (row.kind) {
    case 'divider':
      return <Divider row={row} />
    case 'user':
      return <UserMessage row={row} />
    case 'block':
      return <BlockView row={row} />
    case 'text':
      return <TextView row={row} />
    case 'thinking':
      return <ThinkingLine row={row} />
    case 'tool':
      return <ToolLine row={row} />
    case 'subagent':
      return <SubagentLine row={row} />
    case 'group':
      return <GroupLine row={row} />
    case 'output':
      return <OutputView row={row} />
    case 'asked':
      return <AskedLine row={row} />
    case 'note':
      return <NoteLine row={row} />
    case 'end':
      return <EndView row={row} />
    case 'todos':
      return <TodoList todos={row.todos} isOver={row.isOver} />
    case 'working':
      return <WorkingLine row={row} />
  }
}
