// A tool call: one line, and what it did if it is unfolded. An error is told also while it is folded.
import type { ToolItem } from '@/fold/model'
import { commandOf, editsOf, outputOf, summaryOf } from '@/fold/select'
import { useActions } from './actions'
import { ChangeCounts } from './ChangeCounts'
import { FoldLine } from './FoldLine'
import { firstLine, lastLine } from './lines'
import type { RowOf } from './row'
import { ToolDetail } from './ToolDetail'
import { ToolIcon } from './ToolIcon'
import styles from './ToolLine.module.css'
import { ToolStateMark } from './ToolState'
import { within } from './within'

export function ToolLine({ row: { key, item, isUnfolded } }: { row: RowOf<'tool'> }) {
  const { workspace } = useActions()
  const isBad = item.state === 'failed' || item.state === 'refused'
  const problem = isBad && !isUnfolded ? problemOf(item) : ''
  return (
    <FoldLine
      rowKey={key}
      isUnfolded={isUnfolded}
      icon={<ToolIcon call={item} />}
      title={item.name}
      tone={isBad ? 'bad' : item.state === 'waiting' ? 'warn' : 'quiet'}
      summary={
        <span className={commandOf(item) === null ? undefined : styles.command}>
          {within(workspace, summaryOf(item))}
        </span>
      }
      aside={
        <>
          <ChangeCounts edits={editsOf(item)} />
          <ToolStateMark tool={item} />
        </>
      }
      below={problem && <p className={styles.problem}>{problem}</p>}
    >
      <ToolDetail tool={item} />
    </FoldLine>
  )
}

/** What went wrong, in a line: a command says it last, all others first. */
function problemOf(tool: ToolItem): string {
  const output = outputOf(tool)
  return commandOf(tool) === null ? firstLine(output) : lastLine(output)
}
