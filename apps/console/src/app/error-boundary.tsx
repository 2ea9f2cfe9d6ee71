import { Component, type ErrorInfo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@bourse/ui';
import { forgetFailedScreens, ScreenNotLoaded } from '@bourse/web';

/** Confines the failure of a screen to that screen and offers to load it again. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: undefined as unknown };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    console.error('a screen failed', error, componentStack);
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <Broken missing={error instanceof ScreenNotLoaded} onRetry={this.retry} />;
  }

  private readonly retry = (): void => {
    forgetFailedScreens();
    this.setState({ error: undefined });
  };
}

function Broken({ missing, onRetry }: { missing: boolean; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <div role="alert" className="flex max-w-xl flex-col items-start gap-4 p-8">
      <h1 className="text-title font-semibold">{t(missing ? 'failed.missingTitle' : 'failed.title')}</h1>
      <p className="text-t2">{t(missing ? 'failed.missingText' : 'failed.text')}</p>
      <Button kind="primary" onClick={onRetry}>
        {t('failed.retry')}
      </Button>
    </div>
  );
}
