// A change of a file as a diff with line numbers; a long one is folded in its middle.
import { useTranslation } from 'react-i18next'
import type { Edit } from '@/fold/select'
import { useFormat } from '@/i18n/format'
import { ScrollArea } from '@/markdown/ScrollArea'
import { CopyButton } from '@/ui/CopyButton'
import { ChangeCounts } from './ChangeCounts'
import { type DiffLine, diffOf } from './changes'
import styles from './EditDetail.module.css'
import { useShortened } from './useShortened'

const HEAD = 40
const TAIL = 12

export function EditDetail({ edit }: { edit: Edit }) {
  const { t } = useTranslation('conversation')
  const format = useFormat()
  const { lines } = diffOf(edit)
  const { head, tail, leftOut, showAll } = useShortened(lines, HEAD, TAIL)
  return (
    <figure className={styles.diff}>
      <figcaption className={styles.head}>
        <span className={styles.path} title={edit.path}>
          {/* Cut off at the left, where it says least; the mark keeps its slashes in their order. */}
          <bdi>{edit.path}</bdi>
        </span>
        {edit.before === null && <span className={styles.new}>{t('diff.new')}</span>}
        {edit.after === null && <span className={styles.new}>{t('diff.deleted')}</span>}
        <ChangeCounts edits={[edit]} />
        <CopyButton text={edit.after ?? edit.before ?? ''} />
      </figcaption>
      <ScrollArea className={styles.scroll} label={t('diff.of', { path: edit.path })}>
        <table className={styles.lines}>
          <tbody>
            <Lines lines={head} from={0} />
            {leftOut > 0 && (
              <tr className={styles.gap}>
                <td colSpan={4}>
                  <button type="button" onClick={showAll}>
                    {t('show_left_out', { count: leftOut, number: format.number(leftOut) })}
                  </button>
                </td>
              </tr>
            )}
            <Lines lines={tail} from={lines.length - tail.length} />
          </tbody>
        </table>
      </ScrollArea>
    </figure>
  )
}

function Lines({ lines, from }: { lines: readonly DiffLine[]; from: number }) {
  const { t } = useTranslation('conversation')
  return lines.map(({ kind, before, after, text }, index) =>
    kind === 'gap' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
      <tr key={from + index} className={styles.gap}>
        <td colSpan={4}>⋯</td>
      </tr>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
      <tr key={from + index} data-kind={kind}>
        <td className={styles.number}>{before}</td>
        <td className={styles.number}>{after}</td>
        <td className={styles.mark}>
          <span aria-hidden="true">{kind === 'added' ? '+' : kind === 'removed' ? '−' : ''}</span>
          {kind !== 'same' && <span className="visually-hidden">{t(`diff.${kind}_line`)}</span>}
        </td>
        <td className={styles.text}>{text}</td>
      </tr>
    ),
  )
}
