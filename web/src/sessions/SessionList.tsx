// The sessions at the side: those that need somebody first, then those at work, then what can go on, then the rest.
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useRoute } from 'wouter'
import { onShortcut } from '@/app/shortcuts'
import { useNow } from '@/app/useNow'
import { Problem } from '@/data/Problem'
import { useActiveSessions, useFinishedSessions, useRecoverableSessions } from '@/data/sessions'
import { Button } from '@/ui/Button'
import { Skeleton } from '@/ui/Skeleton'
import { ListFilter, NO_FILTER, type SessionFilter } from './ListFilter'
import { SessionGroup } from './SessionGroup'
import styles from './SessionList.module.css'
import { fits, grouped } from './status'
import { useSettled } from './useSettled'

const AGO_EVERY_MS = 30_000

export function SessionList() {
  const { t } = useTranslation('sessions')
  const [filter, setFilter] = useState<SessionFilter>(NO_FILTER)
  const settled = useSettled(filter, 200)
  const active = useActiveSessions()
  const recoverable = useRecoverableSessions()
  const finished = useFinishedSessions({
    q: settled.q.trim() || undefined,
    agent: settled.agent || undefined,
    project_id: settled.project || undefined,
  })
  const now = useNow(AGO_EVERY_MS)
  const [, params] = useRoute('/sessions/:id/*?')
  const groups = useMemo(() => {
    const fitting = (records: typeof active.data) => (records ?? []).filter((record) => fits(record, filter))
    return grouped(
      fitting(active.data),
      fitting(recoverable.data),
      finished.data?.pages.flatMap((page) => page.sessions) ?? [],
    )
  }, [active.data, recoverable.data, finished.data, filter])
  const all = [...groups.needsYou, ...groups.running, ...groups.recoverable, ...groups.finished]
  useStepping(
    all.map((record) => record.session_id),
    params?.id,
  )

  const error = active.error ?? finished.error
  return (
    <div className={styles.list}>
      <ListFilter filter={filter} onChange={setFilter} />
      <div className={styles.scroll}>
        {active.isPending || finished.isPending ? (
          !error && <Skeleton label={t('loading')} lines={8} />
        ) : (
          <>
            <SessionGroup title={t('groups.needs_you')} records={groups.needsYou} current={params?.id} now={now} />
            <SessionGroup title={t('groups.running')} records={groups.running} current={params?.id} now={now} />
            <SessionGroup title={t('groups.recoverable')} records={groups.recoverable} current={params?.id} now={now} />
            <SessionGroup title={t('groups.finished')} records={groups.finished} current={params?.id} now={now} />
            {all.length === 0 && <p className={styles.none}>{filter === NO_FILTER ? t('none') : t('none_fits')}</p>}
            {finished.hasNextPage && (
              <More isBusy={finished.isFetchingNextPage} onMore={() => void finished.fetchNextPage()} />
            )}
          </>
        )}
        {error && !active.data && <Problem error={error} />}
      </div>
    </div>
  )
}

/** The next page comes when the end is in sight; the button is for those who do not scroll. */
function More({ isBusy, onMore }: { isBusy: boolean; onMore(): void }) {
  const { t } = useTranslation('sessions')
  const button = useRef<HTMLDivElement>(null)
  const latest = useRef(onMore)
  latest.current = onMore
  useEffect(() => {
    const element = button.current
    if (!element || isBusy) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && latest.current())
    observer.observe(element)
    return () => observer.disconnect()
  }, [isBusy])
  return (
    <div ref={button} className={styles.more}>
      <Button tone="quiet" size="s" busy={isBusy} onClick={onMore}>
        {t('more')}
      </Button>
    </div>
  )
}

/** [ and ] go to the session above and below. */
function useStepping(ids: readonly string[], current: string | undefined) {
  const [, navigate] = useLocation()
  const latest = useRef({ ids, current })
  latest.current = { ids, current }
  useEffect(
    () =>
      onShortcut((id) => {
        const step = id === 'next' ? 1 : id === 'previous' ? -1 : 0
        if (step === 0) return
        const { ids: all, current: here } = latest.current
        const place = here ? all.indexOf(here) : -1
        const next = all[place < 0 ? 0 : place + step]
        if (next) navigate(`/sessions/${next}`)
      }),
    [navigate],
  )
}
