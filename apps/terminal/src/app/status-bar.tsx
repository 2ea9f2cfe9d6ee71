import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { cx, Num } from '@bourse/ui';
import { api } from '../core/api.js';
import { useHouseQuotes } from '../core/config.js';
import { noteReach, useReach } from '@bourse/web';
import { feed, useFeedStatus } from '../core/feed.js';
import { useFocusSymbol } from '../core/focus-symbol.js';
import { lampOf } from '../core/lamp.js';
import { hasScreen } from '../paths.js';

const PING_EVERY_MS = 15_000;

/**
 * Age of the data, latency, connection, and the credit of the chart library. The lamp follows the age of the data, not
 * the socket.
 */
export function StatusBar() {
  const { t } = useTranslation();
  const status = useFeedStatus();
  const { reached, latencyMs } = useReach();
  const symbol = useFocusSymbol((focus) => focus.symbol);
  const houseQuotes = useHouseQuotes();
  const [age, setAge] = useState(Infinity);
  useEffect(() => {
    const timer = setInterval(() => setAge(feed.ageOf(symbol)), 500);
    return () => clearInterval(timer);
  }, [symbol]);
  useEffect(() => {
    const ping = (): void => {
      const started = performance.now();
      api.get('/api/time', {}, { quiet: true }).then(
        () => noteReach(true, performance.now() - started),
        () => noteReach(false, 0),
      );
    };
    ping();
    const timer = setInterval(() => {
      if (!document.hidden) ping();
    }, PING_EVERY_MS);
    return () => clearInterval(timer);
    // The exchange is asked at once when the connection comes or goes.
  }, [status]);
  const state = lampOf({ status, age: symbol === '' ? undefined : age, reached });
  return (
    <footer
      className={
        // At the end of the window, so that no content moves it; two lines at the end of the page on a phone.
        'flex min-h-7 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-t max-md:min-h-13 max-md:content-start ' +
        'md:sticky md:bottom-0 md:z-10 border-line bg-bg1 px-4 py-1 text-label text-t2'
      }
    >
      <span className="flex items-center gap-2" role="status">
        <span
          aria-hidden
          className={cx(
            'keeps-colours size-2 rounded-full',
            state === 'live' ? 'bg-up' : state === 'old' || state === 'connecting' ? 'bg-warn' : 'bg-down',
          )}
        />
        {t(`status.${state}`)}
      </span>
      {latencyMs !== undefined && (
        <span>
          {t('status.latency')} <Num>{Math.round(latencyMs)} ms</Num>
        </span>
      )}
      {symbol !== '' && Number.isFinite(age) && (
        <span className="max-md:hidden">
          {t('status.age')} <Num>{(Math.min(age, 999_900) / 1000).toFixed(1)} s</Num>
        </span>
      )}
      {symbol !== '' && houseQuotes && <span title={t('status.houseTip')}>{t('status.house')}</span>}
      {/* A page renders its own notice here. */}
      <span id="status-notice" role="status" className="empty:hidden" />
      <Link to="/fairness" className="ms-auto underline-offset-2 hover:underline">
        {t('nav.fairness')}
      </Link>
      {hasScreen('/solvency') && (
        <Link to="/solvency" className="underline-offset-2 hover:underline">
          {t('nav.solvency')}
        </Link>
      )}
      <a
        href="https://www.tradingview.com/"
        target="_blank"
        rel="noreferrer noopener"
        className="underline-offset-2 hover:underline"
      >
        {t('status.chartCredit')}
      </a>
    </footer>
  );
}
