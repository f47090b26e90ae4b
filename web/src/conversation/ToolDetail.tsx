// What a tool call did: its change as a diff, its command as in a terminal, anything else as input and result.
import { useTranslation } from 'react-i18next'
import type { ToolItem } from '@/fold/model'
import { commandOf, editsOf, exitCodeOf, outputOf, toolIcon } from '@/fold/select'
import { EditDetail } from './EditDetail'
import { TerminalDetail } from './TerminalDetail'
import { TodoList } from './TodoList'
import styles from './ToolDetail.module.css'
import { todosIn } from './todosIn'
import { Fields, LongText } from './ValueDetail'

export function ToolDetail({ tool }: { tool: ToolItem }) {
  const { t } = useTranslation('conversation')
  const edits = editsOf(tool)
  const output = outputOf(tool)
  const isOver = tool.state !== 'running' && tool.state !== 'waiting'
  const isBad = tool.state === 'failed' || tool.state === 'refused'

  if (edits.length > 0) {
    return (
      <div className={styles.detail} data-wide>
        {edits.map((edit, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an edit is its place in the call
          <EditDetail key={index} edit={edit} />
        ))}
        {isBad && output && <p className={styles.problem}>{output}</p>}
      </div>
    )
  }
  if (toolIcon(tool) === 'run') {
    return (
      <div className={styles.detail} data-wide>
        <TerminalDetail command={commandOf(tool)} output={output} exitCode={exitCodeOf(tool)} isRunning={!isOver} />
      </div>
    )
  }
  const todos = todosIn(tool)
  if (todos.length > 0) return <TodoList todos={todos} isOver={false} />
  return (
    <div className={styles.detail}>
      <Fields value={tool.input} />
      {isBad && output ? (
        <p className={styles.problem}>{output}</p>
      ) : (
        output && <LongText text={output} label={t('tool.result')} />
      )}
      {!output && isOver && <p className={styles.none}>{t('tool.no_result')}</p>}
    </div>
  )
}
