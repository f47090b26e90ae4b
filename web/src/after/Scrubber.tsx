// The timeline that one can move on: lanes with a hand over them that mouse, touch and keys move.
import { Brain, Hand, type LucideIcon, MessageSquareText, Wrench } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Lanes } from './Lanes'
import { Legend } from './Legend'
import { HEIGHT, LANES } from './lanePaths'
import styles from './Scrubber.module.css'
import { TimeAxis } from './TimeAxis'
import type { Lane, Timeline } from './timeline'
import type { Player } from './usePlayer'

const ICONS: Record<Lane, LucideIcon> = { text: MessageSquareText, thinking: Brain, tool: Wrench, wait: Hand }
// A tenth at a time with page up and down.
const PAGE = 0.1

interface Props {
  timeline: Timeline
  player: Player
  /** The moment in words. */
  said: string
}

export function Scrubber({ timeline, player, said }: Props) {
  const { t } = useTranslation('after')
  const field = useRef<HTMLDivElement>(null)
  const width = useWidth(field)
  const { length } = timeline

  function onKeyDown(event: KeyboardEvent) {
    const { x, index } = player
    const moves: Record<string, () => void> = {
      ArrowRight: () => player.step(index + 1),
      ArrowUp: () => player.step(index + 1),
      ArrowLeft: () => player.step(index - 1),
      ArrowDown: () => player.step(index - 1),
      PageUp: () => player.moveTo(x + length * PAGE),
      PageDown: () => player.moveTo(x - length * PAGE),
      Home: () => player.step(0),
      End: () => player.step(timeline.stops.length - 1),
      ' ': () => (player.isPlaying ? player.pause() : player.play()),
    }
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(moves, event.key)) return
    event.preventDefault()
    moves[event.key]!()
  }

  return (
    <div className={styles.scrubber}>
      <ul className={styles.names} style={{ height: HEIGHT }}>
        {(Object.keys(LANES) as Lane[]).map((lane) => {
          const Icon = ICONS[lane]
          return (
            <li key={lane} className={styles[lane]} style={{ top: LANES[lane].top, height: LANES[lane].height }}>
              <Icon aria-hidden="true" />
              <span>{t(`timeline.lanes.${lane}`)}</span>
            </li>
          )
        })}
      </ul>
      <div className={styles.strip}>
        <div ref={field} className={styles.field}>
          {width > 0 && <Lanes timeline={timeline} width={width} />}
          <div className={styles.future} style={{ left: `${(player.x / length) * 100}%` }} />
        </div>
        <input
          type="range"
          className={styles.range}
          style={{ height: HEIGHT }}
          min={0}
          max={length}
          step="any"
          value={player.x}
          aria-label={t('timeline.scrub')}
          aria-valuetext={said}
          aria-describedby="timeline-keys"
          onChange={(event) => player.moveTo(event.target.valueAsNumber)}
          onKeyDown={onKeyDown}
        />
        <TimeAxis timeline={timeline} width={width} />
      </div>
      <div className={styles.legend}>
        <Legend timeline={timeline} />
      </div>
      <p id="timeline-keys" className="visually-hidden">
        {t('timeline.scrub_hint')}
      </p>
    </div>
  )
}

function useWidth(element: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return width
}
