// Play, pause, event by event, and how fast; with the moment that is shown and a link to it.
import { ChevronLeft, ChevronRight, CornerUpRight, Pause, Play, RotateCcw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { announce } from '@/app/announce'
import { Button, IconButton } from '@/ui/Button'
import { CopyButton } from '@/ui/CopyButton'
import { Choice } from './Choice'
import type { Moment } from './moment'
import styles from './ReplayControls.module.css'
import { type Player, SPEEDS } from './usePlayer'

interface Props {
  sessionId: string
  player: Player
  moment: Moment
  isAtEnd: boolean
}

export function ReplayControls({ sessionId, player, moment, isAtEnd }: Props) {
  const { t } = useTranslation('after')
  const { isPlaying, index } = player
  const here = `/sessions/${encodeURIComponent(sessionId)}`

  function toggle() {
    if (isPlaying) player.pause()
    else player.play()
    announce(isPlaying ? t('timeline.paused', { place: moment.place, total: moment.total }) : t('timeline.replaying'))
  }

  const label = isPlaying ? t('timeline.pause') : isAtEnd ? t('timeline.replay_again') : t('timeline.play')
  return (
    <div className={styles.controls}>
      <div className={styles.buttons}>
        <IconButton
          label={t('timeline.previous')}
          icon={<ChevronLeft />}
          disabled={index === 0}
          onClick={() => player.step(index - 1)}
        />
        <Button
          tone="primary"
          className={styles.play}
          aria-label={label}
          title={label}
          icon={isPlaying ? <Pause /> : isAtEnd ? <RotateCcw /> : <Play />}
          onClick={toggle}
        >
          <span className={styles.word}>{isPlaying ? t('timeline.pause') : t('timeline.play')}</span>
        </Button>
        <IconButton
          label={t('timeline.next')}
          icon={<ChevronRight />}
          disabled={isAtEnd}
          onClick={() => player.step(index + 1)}
        />
        <div className={styles.speeds}>
          <Choice
            label={t('timeline.speed')}
            value={player.speed}
            choices={SPEEDS.map((value) => ({ value, word: `${value}×` }))}
            onChange={player.setSpeed}
          />
        </div>
      </div>
      <p className={styles.moment}>
        <span className={styles.line}>
          <span className={styles.time}>{moment.time}</span> {moment.event}
        </span>
        <span className={styles.line}>
          {t('timeline.at_event', { place: moment.place, total: moment.total })}
          {moment.into && ` · ${moment.into}`}
        </span>
      </p>
      <div className={styles.links}>
        <CopyButton
          label={t('timeline.copy_link')}
          text={() => new URL(`${here}/timeline?at=${moment.sequence}`, window.location.origin).href}
        />
        <Link href={`${here}#e${moment.sequence}`} className={styles.open} title={t('timeline.open_here')}>
          <CornerUpRight aria-hidden="true" />
          <span>{t('timeline.open_here')}</span>
        </Link>
      </div>
    </div>
  )
}
