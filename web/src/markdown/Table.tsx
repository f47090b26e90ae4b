// A table that scrolls sideways by itself, so that the page never does.
import type { Tokens } from 'marked'
import { useTranslation } from 'react-i18next'
import type { Block } from './blocks'
import { Inline } from './Inline'
import styles from './Markdown.module.css'
import { ScrollArea } from './ScrollArea'

export function Table({ token, part }: { token: Tokens.Table; part: Block['part'] }) {
  const { t } = useTranslation('markdown')
  const hasHead = part === 'whole' || part === 'first'
  return (
    <ScrollArea className={styles.tableScroll} data-part={part} label={t('table')}>
      <table className={styles.table}>
        <thead className={hasHead ? undefined : 'visually-hidden'}>
          <tr>
            {token.header.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
              <th key={column} data-align={cell.align} scope="col">
                <Inline tokens={cell.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
            <tr key={index}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
                <td key={column} data-align={cell.align}>
                  <Inline tokens={cell.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}
