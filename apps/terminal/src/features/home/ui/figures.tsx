import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { keys } from '@bourse/api-client';
import type { ServerStatus, SolvencySnapshot } from '@bourse/contract';
import { fixed, grouped, NO_NUMBER, Num, Skeleton } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { ageOf, auditWord } from '../../../core/server-status.js';
import { hasScreen } from '../../../paths.js';
import { Time } from '../../../parts/time.js';
import { latency, snapshot, status } from '../api/figures.js';
import { leastCovered } from '../model/figures.js';

/** The page that shows the exchange's state in words, and links to the call that all these figures come from. */
const SOURCE = '/status';
const LOOK = 'flex min-h-26 min-w-0 flex-col gap-1 rounded-panel border border-line bg-bg1 p-3 hover:bg-bg2';

/** One figure: its name, itself, and what it rests on. The whole of it leads to where it can be checked. */
function Figure({ to, name, note, children }: { to: string; name: string; note: ReactNode; children: ReactNode }) {
  const body = (
    <>
      <span className="text-label text-t2">{name}</span>
      <span className="text-last font-semibold break-words">{children}</span>
      <span className="text-label text-t2">{note}</span>
    </>
  );
  return hasScreen(to) ? (
    <Link to={to} className={LOOK}>
      {body}
    </Link>
  ) : (
    <a href={to} className={LOOK}>
      {body}
    </a>
  );
}

const shownCount = (count: number | null | undefined): string | undefined =>
  typeof count === 'number' ? grouped(String(count)) : undefined;

const Waiting = () => <Skeleton className="h-6 w-20" />;

/** A figure of `/api/status`: a skeleton until the call has answered, a dash where the exchange does not know it. */
function StatusFigure({ known, value }: { known: boolean; value: string | null | undefined }) {
  if (!known) return <Waiting />;
  return value === undefined || value === null ? NO_NUMBER : <Num>{value}</Num>;
}

/** The exchange's own figures, each with a link by which a stranger can check it. None is made up. */
export function Figures() {
  const { t } = useTranslation();
  const told = useQuery({
    queryKey: [...keys.status, 'home'],
    staleTime: 10_000,
    refetchInterval: 15_000,
    queryFn: () => status(api),
  });
  const proof = useQuery({ queryKey: [...keys.solvency, 'home'], staleTime: 60_000, queryFn: () => snapshot(api) });
  const round = useQuery({ queryKey: ['round-trip'], staleTime: 60_000, queryFn: () => latency(api) });
  const { data } = told;
  const known = data !== undefined || told.isError;
  return (
    <section aria-labelledby="figures" className="flex flex-col gap-2">
      <h2 id="figures" className="text-title font-semibold">
        {t('home.figuresTitle')}
      </h2>
      <div data-testid="figures" className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-6">
        <Figure to="/allmarket" name={t('home.figureMarkets')} note={t('home.figureMarketsNote')}>
          <StatusFigure known={known} value={data && grouped(String(data.markets))} />
        </Figure>
        <Figure to="/allmarket" name={t('home.figureVolume')} note={t('home.figureVolumeNote')}>
          <StatusFigure known={known} value={data?.volume_24h && grouped(fixed(data.volume_24h, 0))} />
        </Figure>
        <Figure to="/dealCenter" name={t('home.figureTrades')} note={t('home.figureTradesNote')}>
          <StatusFigure known={known} value={shownCount(data?.trades_today)} />
        </Figure>
        <Figure to={SOURCE} name={t('home.figureLatency')} note={<LatencyNote told={data} />}>
          {round.data === undefined ? (
            round.isError ? (
              NO_NUMBER
            ) : (
              <Waiting />
            )
          ) : (
            <Num>{Math.max(1, Math.round(round.data))} ms</Num>
          )}
        </Figure>
        <Figure to={SOURCE} name={t('home.figureAudit')} note={<AuditNote told={data} />}>
          {known ? <AuditState told={data} /> : <Waiting />}
        </Figure>
        <Figure to="/solvency" name={t('home.figureSolvency')} note={<SolvencyNote proof={proof.data} />}>
          {proof.isPending ? <Waiting /> : <Covered proof={proof.data} />}
        </Figure>
      </div>
    </section>
  );
}

function LatencyNote({ told }: { told: ServerStatus | undefined }) {
  const { t } = useTranslation();
  const p50 = told?.latency_ms.submit_to_ack?.p50 ?? 0;
  return p50 > 0 ? t('home.figureOrders', { ms: Math.max(1, Math.round(p50)) }) : t('home.figureLatencyNote');
}

function AuditState({ told }: { told: ServerStatus | undefined }) {
  const { t } = useTranslation();
  const word = told ? auditWord(told) : 'unknown';
  if (word === 'unknown') return NO_NUMBER;
  return word === 'ok' ? (
    <span className="text-up">✓ {t('home.auditOk')}</span>
  ) : (
    <span className="text-down">✗ {t('home.auditAlarm')}</span>
  );
}

function AuditNote({ told }: { told: ServerStatus | undefined }) {
  const { t } = useTranslation();
  if (!told || told.audit_age_ms < 0) return t('home.auditNone');
  const { unit, count } = ageOf(told.audit_age_ms);
  const ago = t(unit === 'seconds' ? 'home.secondsAgo' : 'home.minutesAgo', { n: count });
  return (
    <span title={`${told.audit_time} UTC`}>
      {t('home.auditChecks', { n: told.audit_checks })} · {ago}
    </span>
  );
}

function Covered({ proof }: { proof: SolvencySnapshot | null | undefined }) {
  const least = proof && leastCovered(proof.currencies);
  if (!least) return NO_NUMBER;
  return (
    <span className={least.covered ? 'text-up' : 'text-down'}>
      {least.covered ? '✓' : '✗'} <Num>{grouped(fixed(least.percent, 2))} %</Num>
    </span>
  );
}

/** The coin that is covered least, when its proof was made, and whether what covers it lies on real chains. */
function SolvencyNote({ proof }: { proof: SolvencySnapshot | null | undefined }) {
  const { t } = useTranslation();
  const least = proof && leastCovered(proof.currencies);
  if (!proof || !least) return t('home.solvencyNone');
  return (
    <>
      {t(proof.simulated_assets === 1 ? 'home.solvencySimulated' : 'home.solvencyLeast', { coin: least.currency })}{' '}
      <Time>{proof.time}</Time>
    </>
  );
}
