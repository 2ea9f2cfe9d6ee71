import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServerStatus } from '@bourse/contract';
import { Badge, cx, localTime, Num, Panel, Skeleton } from '@bourse/ui';
import { ageOf, auditWord } from '../../../core/server-status.js';
import { marketsOf, productsOf, STALE_MS, wholeOf, type Market, type Product } from '../model/status.js';
import { productText, STATE_STYLES, WHOLE_STYLES } from './state-styles.js';
import { History } from './history.js';
import { AgeBar, Pulse, Scale, Spread } from './pictures.js';
import { useStatus, type Watched } from './use-status.js';

/** The call that all of this comes from. */
const SOURCE = '/api/status';
const FEED_TEXT = { recorded: 'home.feedRecorded', simulated: 'home.feedSimulated', live: 'state.feedLive' } as const;

/** The exchange's status for everybody: whether it trades, what is stopped, how fresh and fast its data is. */
export default function StatusPage() {
  const { t } = useTranslation();
  const watched = useStatus();
  const status = watched.told?.status;
  return (
    <div className="mx-auto flex w-full max-w-[1280px] flex-col gap-4 p-4">
      <div>
        <h1 className="text-last font-semibold">{t('state.title')}</h1>
        <p className="mt-1 max-w-prose text-t2">{t('state.lead')}</p>
      </div>
      <Headline {...watched} />
      {status && (
        <div className={cx('flex flex-col gap-4', watched.failed && 'opacity-60')}>
          <Part title={t('state.products')}>
            <Products status={status} />
          </Part>
          <Part title={t('state.history')}>
            <History status={status} />
          </Part>
          <Part title={t('nav.markets')}>
            <Markets markets={marketsOf(status)} />
          </Part>
          <div className="grid gap-4 lg:grid-cols-3">
            <Part title={t('state.prices')}>
              <Prices status={status} />
            </Part>
            <Part title={t('state.speed')}>
              <Speed latency={status.latency_ms} />
            </Part>
            <Part title={t('home.figureAudit')}>
              <Auditors status={status} />
            </Part>
          </div>
        </div>
      )}
      {(status ?? watched.failed) && (
        <>
          <Part title={t('state.watch')}>
            <p className="max-w-prose text-table text-t2">{t('state.watchText')}</p>
            <Pulse asked={watched.asked} />
            {watched.told && (
              <p className="text-table text-t2">
                {t('home.figureLatency')}: <Num>{Math.max(1, Math.round(watched.told.tookMs))} ms</Num>,{' '}
                {t('home.figureLatencyNote')}
              </p>
            )}
          </Part>
          <p className="flex flex-wrap gap-x-6 gap-y-1 text-table text-t2">
            {status && <span>{t('state.version', { version: status.version })}</span>}
            <a href={SOURCE} className="underline underline-offset-2 hover:text-t1">
              {t('state.source')}
            </a>
          </p>
        </>
      )}
    </div>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <Panel className="flex flex-col gap-3 p-4">
    <h2 className="text-title font-semibold">{title}</h2>
    {children}
  </Panel>
);

/** The one sentence that most people come for; it is read out when it changes. */
function Headline({ told, toldAt, failed }: Watched) {
  const { t } = useTranslation();
  const word = failed ?? (told && wholeOf(told.status));
  if (word === undefined)
    return (
      <Panel className="flex items-center gap-4 p-4">
        <Skeleton className="size-12" />
        <Skeleton className="h-7 w-60 max-w-full" />
      </Panel>
    );
  const { icon: Icon, text, edge } = WHOLE_STYLES[word];
  return (
    <div
      role="status"
      data-testid="whole"
      data-word={word}
      className={cx('flex items-start gap-4 rounded-panel border-2 bg-bg1 p-4', edge)}
    >
      <Icon size={48} strokeWidth={1.5} aria-hidden className={cx('shrink-0', text)} />
      <div className="flex min-w-0 flex-col gap-1">
        <p className={cx('text-last font-semibold', text)}>{t(`state.whole.${word}`)}</p>
        <p className="max-w-prose">{t(`state.wholeText.${word}`)}</p>
        {failed && told && <p className="text-table text-t2">{t('state.lastTold', { time: localTime(toldAt) })}</p>}
      </div>
    </div>
  );
}

function Products({ status }: { status: ServerStatus }) {
  const { t } = useTranslation();
  const markets = marketsOf(status);
  const open = markets.filter(({ state }) => state === 'normal').length;
  const textOf = ({ name, state }: Product): string =>
    name === 'spot' ? t('state.marketsOpen', { open, all: markets.length }) : t(`state.modeText.${state}`);
  return (
    <ul className="grid gap-3 md:grid-cols-2 lg:grid-cols-5">
      {productsOf(status).map((product) => {
        const { icon: Icon, text, edge } = STATE_STYLES[product.state];
        return (
          <li
            key={product.name}
            data-product={product.name}
            data-state={product.state}
            className={cx('flex min-w-0 items-start gap-3 rounded-panel border bg-bg2 p-3', edge)}
          >
            <Icon size={24} aria-hidden className={cx('shrink-0', text)} />
            <div className="min-w-0">
              <p className="font-semibold break-words">{t(productText(product.name))}</p>
              <p className={text}>{t(`state.mode.${product.state}`)}</p>
              <p className="text-table text-t2">{textOf(product)}</p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function Markets({ markets }: { markets: readonly Market[] }) {
  const { t } = useTranslation();
  return (
    <ul className="flex flex-wrap gap-2">
      {markets.map(({ symbol, state, stale }) => {
        const { icon: Icon, text, edge } = STATE_STYLES[state];
        return (
          <li
            key={symbol}
            data-market={symbol}
            data-state={state}
            className={cx('flex items-center gap-2 rounded-panel border bg-bg2 px-3 py-2', edge)}
          >
            <Icon size={16} aria-hidden className={cx('shrink-0', text)} />
            <bdi className="font-medium">{symbol}</bdi>
            <span className={cx('text-table', text)}>{t(`state.mode.${state}`)}</span>
            {stale && <Badge tone="warn">{t('state.stale')}</Badge>}
          </li>
        );
      })}
    </ul>
  );
}

function Prices({ status }: { status: ServerStatus }) {
  const { t } = useTranslation();
  const { feed, feed_age_ms: ageMs, stale_pairs: stale } = status;
  if (feed === null || ageMs < 0) return <p>{t('state.feedNone')}</p>;
  return (
    <>
      <p>{t(FEED_TEXT[feed])}</p>
      <div className="flex flex-col gap-1">
        <span className="flex justify-between gap-4 text-table">
          <span className="text-t2">{t('state.priceAge')}</span>
          <Num>{(Math.min(ageMs, 999_900) / 1000).toFixed(1)} s</Num>
        </span>
        <AgeBar ageMs={ageMs} />
        <span className="text-label text-t2">{t('state.priceLimit', { n: STALE_MS / 1000 })}</span>
      </div>
      <p className={cx('text-table', stale.length > 0 ? 'text-warn' : 'text-t2')}>
        {stale.length > 0 ? t('state.stalePairs', { pairs: stale.join(', ') }) : t('state.noStale')}
      </p>
    </>
  );
}

function Speed({ latency }: { latency: ServerStatus['latency_ms'] }) {
  const { t } = useTranslation();
  const { submit_to_ack: ack, ack_to_push: push } = latency;
  if (!ack || ack.p99 === 0) return <p className="text-t2">{t('state.noOrders')}</p>;
  return (
    <>
      <Spread name={t('state.ack')} {...ack} />
      {push && <Spread name={t('state.push')} {...push} />}
      <Scale />
    </>
  );
}

const AUDIT_LOOKS = { ok: WHOLE_STYLES.open, alarm: WHOLE_STYLES.alarm, unknown: STATE_STYLES.part } as const;
const AUDIT_TEXT = { ok: 'home.auditOk', alarm: 'home.auditAlarm', unknown: 'state.auditUnknown' } as const;

function Auditors({ status }: { status: ServerStatus }) {
  const { t } = useTranslation();
  const word = auditWord(status);
  const { icon: Icon, text } = AUDIT_LOOKS[word];
  const { unit, count } = ageOf(status.audit_age_ms);
  return (
    <>
      <p className={cx('flex items-center gap-2 text-title font-semibold', text)}>
        <Icon size={24} aria-hidden />
        {t(AUDIT_TEXT[word])}
      </p>
      {status.audit_time !== null && status.audit_age_ms >= 0 && (
        <>
          <p>{t('home.auditChecks', { n: status.audit_checks })}</p>
          <p>
            {t(unit === 'seconds' ? 'home.secondsAgo' : 'home.minutesAgo', { n: count })} (
            <Num>{status.audit_time}</Num> UTC)
          </p>
        </>
      )}
      <p className="text-table text-t2">{t('state.auditText')}</p>
    </>
  );
}
