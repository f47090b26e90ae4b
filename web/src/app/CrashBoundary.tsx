// If a page throws, it says so and the rest of the app goes on.
import { Component, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/Button'
import { Page } from '@/ui/Page'

export class CrashBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render() {
    return this.state.error ? <Crashed error={this.state.error} /> : this.props.children
  }
}

function Crashed({ error }: { error: Error }) {
  const { t } = useTranslation('app')
  return (
    <Page title={t('page_failed')} intro={t('page_failed_hint')}>
      <p>
        <code>{error.message}</code>
      </p>
      <Button tone="primary" onClick={() => window.location.reload()}>
        {t('reload')}
      </Button>
    </Page>
  )
}
