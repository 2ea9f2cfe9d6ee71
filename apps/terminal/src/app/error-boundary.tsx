import { Component, type ErrorInfo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@bourse/ui';
import { forgetFailedScreens, ScreenNotLoaded } from '@bourse/web';

/** A screen that fails does not take the page with it: the header stays, and the person can try again. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: undefined as unknown };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    console.error('a screen failed', error, componentStack);
  }

  override componentDidMount(): void {
    window.addEventListener('online', this.onOnline);
  }

  override componentWillUnmount(): void {
    window.removeEventListener('online', this.onOnline);
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <Failed missing={error instanceof ScreenNotLoaded} onRetry={this.retry} />;
  }

  private readonly retry = (): void => {
    forgetFailedScreens();
    this.setState({ error: undefined });
  };

  /** The line is back: what was missing comes by itself. */
  private readonly onOnline = (): void => {
    if (this.state.error instanceof ScreenNotLoaded) this.retry();
  };
}

function Failed({ missing, onRetry }: { missing: boolean; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <div role="alert" className="mx-auto flex max-w-xl flex-col items-start gap-4 p-8">
      <h1 className="text-title font-semibold">{t(missing ? 'failed.missingTitle' : 'failed.title')}</h1>
      <p className="text-t2">{t(missing ? 'failed.missingText' : 'failed.text')}</p>
      <div className="flex gap-2">
        <Button kind="primary" onClick={onRetry}>
          {t('failed.retry')}
        </Button>
        <Button onClick={() => window.location.reload()}>{t('failed.reload')}</Button>
      </div>
    </div>
  );
}
