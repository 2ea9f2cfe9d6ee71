import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Alert, Badge, Num, Skeleton, Stat } from '@bourse/ui';
import type { MessageOf, ServerStatus } from '@bourse/contract';
import { useAdminQuery } from '../../core/calls.js';
import { useDashboard, WORK_FILTERS, WORK_SCREENS, type Dashboard } from '../../core/work.js';
import { Facts, PageHead, Section } from '../../parts/detail.js';
import { Failed } from '../../parts/failed.js';
import { Money } from '../../parts/money.js';
import { When } from '../../parts/when.js';
import { addressOf } from '../../paths.js';
import { hasScreen } from '../../routes.js';
import { sharesOf, waitingOf } from './dashboard-model.js';
import { TrafficCharts } from './traffic-charts.js';

type Audit = MessageOf<'GET /api/admin/reconciliation'>;

/** The waiting work and the health of the exchange at a glance, all from its own calls. */
export default function DashboardScreen() {
  const { t } = useTranslation();
  const board = useDashboard();
  const { data: audit } = useAdminQuery('/api/admin/reconciliation', {}, { everyMs: 30_000 });
  const { data: status } = useAdminQuery('/api/status', {}, { everyMs: 20_000 });
  if (board.isError && !board.data)
    return (
      <>
        <PageHead title={t('place.dashboard')} />
        <Failed error={board.error} retry={() => void board.refetch()} />
      </>
    );
  const { data } = board;
  return (
    <>
      <PageHead title={t('place.dashboard')} />
      {data && data.missing.length > 0 && (
        <Alert tone="warn">{t('dash.missing', { names: data.missing.join(', ') })}</Alert>
      )}
      {data && data.alarms.length > 0 && (
        <Alert tone="error" title={t('dash.alarms')}>
          {data.alarms.join(', ')}
        </Alert>
      )}
      <Section title={t('dash.waiting')}>
        <WorkCards work={data?.work} />
      </Section>
      <div className="grid grid-cols-1 gap-4 xl:grid-cols-2">
        <Section title={t('dash.health')}>
          <Health data={data} audit={audit} status={status} />
        </Section>
        <Section title={t('dash.latency')}>
          <Latency data={data} />
        </Section>
      </div>
      <Section title={t('dash.history')}>
        <TrafficCharts points={data?.history} />
      </Section>
      <Section title={t('dash.volumes')}>
        <Volumes data={data} />
      </Section>
    </>
  );
}

function WorkCards({ work }: { work: Dashboard['work'] | undefined }) {
  const { t } = useTranslation();
  if (work === undefined) return <Skeleton className="h-20 w-full" />;
  const shape = 'h-full rounded-panel border border-line bg-bg2 p-3';
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-3">
      {waitingOf(work).map(({ name, count }) => {
        const screen = WORK_SCREENS[name];
        const stat = <Stat label={t(`work.${name}`, name)} value={String(count)} />;
        return (
          <li key={name}>
            {screen !== undefined && hasScreen(screen) ? (
              <Link to={`${addressOf(screen)}${WORK_FILTERS[name] ?? ''}`} className={`block ${shape} hover:bg-bg3`}>
                {stat}
              </Link>
            ) : (
              <div className={shape}>{stat}</div>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Health({
  data,
  audit,
  status,
}: {
  data: Dashboard | undefined;
  audit: Audit | undefined;
  status: ServerStatus | undefined;
}) {
  const { t } = useTranslation();
  const failed = audit?.checks.filter(({ ok }) => !ok) ?? [];
  const stopped = data?.breakers.filter(({ mode }) => mode !== 'normal') ?? [];
  return (
    <>
      <Facts
        rows={[
          [
            t('dash.books'),
            audit && (
              <Badge tone={audit.ok ? 'up' : 'down'}>{t(audit.ok ? 'dash.booksRight' : 'dash.booksWrong')}</Badge>
            ),
          ],
          [t('dash.checked'), audit && <When time={audit.checked_at} />],
          [t('dash.checks'), audit && <Num>{audit.checks.length}</Num>],
          [t('dash.feed'), status && t(`dash.feed.${status.feed ?? 'none'}`)],
          [
            t('dash.feedAge'),
            data && <Num>{data.feed_age_ms < 0 ? '–' : `${(data.feed_age_ms / 1000).toFixed(1)} s`}</Num>,
          ],
          [t('dash.markets'), data && <Num>{data.counts['markets'] ?? 0}</Num>],
          [t('dash.acts'), data && <Num>{data.counts['operator_actions_24h'] ?? 0}</Num>],
          [t('dash.volume24'), status && <Money amount={status.volume_24h} currency="USDT" />],
          [
            t('place.breakers'),
            data &&
              (stopped.length === 0
                ? t('dash.allOpen')
                : stopped
                    .map(({ scope, mode }) => `${t(`breaker.scope.${scope}`, scope)}: ${t(`breaker.mode.${mode}`)}`)
                    .join(', ')),
          ],
        ]}
      />
      {failed.length > 0 && (
        <Alert tone="error" title={t('dash.booksWrong')}>
          {failed.map(({ name, detail }) => `${name}: ${detail}`).join('; ')}
        </Alert>
      )}
    </>
  );
}

/** Latency by kind of call: the first bar is the median, the second the 99th percentile. */
function Latency({ data }: { data: Dashboard | undefined }) {
  const { t } = useTranslation();
  if (!data) return <Skeleton className="h-24 w-full" />;
  const kinds = Object.entries(data.latency_ms);
  const most = Math.max(1, ...kinds.map(([, { p99 }]) => p99));
  return (
    <div className="flex flex-col gap-3">
      {kinds.map(([kind, { p50, p99 }]) => (
        <div key={kind} className="flex flex-col gap-1">
          <span className="text-table text-t2">{t(`dash.latency.${kind}`, kind)}</span>
          <Bar label="p50" share={p50 / most} value={durationText(p50)} />
          <Bar label="p99" share={p99 / most} value={durationText(p99)} />
        </div>
      ))}
    </div>
  );
}

/** A measured latency; 0 means that nothing has been measured yet. */
const durationText = (ms: number): string => (ms === 0 ? '–' : `${ms.toFixed(1)} ms`);

function Volumes({ data }: { data: Dashboard | undefined }) {
  if (!data) return <Skeleton className="h-24 w-full" />;
  return (
    <div className="grid grid-cols-1 gap-x-6 gap-y-1 lg:grid-cols-2">
      {sharesOf(data.volumes).map(({ symbol, volume, share }) => (
        <Bar key={symbol} label={symbol} share={share} value={volume} />
      ))}
    </div>
  );
}

/** One bar with its figure. Screen readers read the figure; the bar is decoration. */
function Bar({ label, share, value }: { label: string; share: number; value: string }) {
  return (
    <div className="grid grid-cols-[6rem_1fr_auto] items-center gap-2 text-table">
      <bdi className="truncate">{label}</bdi>
      <svg aria-hidden viewBox="0 0 100 6" preserveAspectRatio="none" className="h-1.5 w-full">
        <rect width="100" height="6" className="fill-bg3" />
        <rect width={Math.min(100, Math.max(0, share * 100))} height="6" className="fill-accent" />
      </svg>
      <Num className="min-w-20 text-end">{value}</Num>
    </div>
  );
}
