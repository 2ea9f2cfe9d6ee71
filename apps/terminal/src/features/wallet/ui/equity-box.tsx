import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { keys } from '@bourse/api-client';
import { Button, cx, directionOf, Empty, Num, Panel, Segmented, Skeleton, Table } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { useReference, useWorth } from '../../../core/reference.js';
import { spanText } from '../../../core/span-text.js';
import { times } from '../../../core/worth.js';
import { Failed } from '../../../parts/failed.js';
import { LinkButton } from '../../../parts/link-button.js';
import { useAppearance } from '../../../prefs/appearance.js';
import { equity } from '../api/records.js';
import { isEmpty, profitOf, SPANS, type EquityDay, type Span } from '../model/equity.js';
import type { EquityChart } from './equity-chart.js';

const REFRESH_MS = 300_000;

/** The worth of all accounts by day, and the profit of each day, as a chart and as figures. */
export default function EquityBox() {
  const { t } = useTranslation();
  const worth = useWorth();
  const [span, setSpan] = useState<Span>('30');
  const [figures, setFigures] = useState(false);
  const {
    data: days,
    isError,
    refetch,
  } = useQuery({
    queryKey: [...keys.wallet, 'equity', span],
    staleTime: REFRESH_MS,
    refetchInterval: REFRESH_MS,
    queryFn: () => equity(api, span),
  });
  const profit = days && profitOf(days);
  return (
    <Panel className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="text-title font-semibold">{t('wallet.equity')}</h2>
          <p className="text-table text-t2">{t('wallet.equityLead')}</p>
        </div>
        <Segmented<Span>
          label={t('wallet.equitySpan')}
          value={span}
          onChange={setSpan}
          choices={SPANS.map((value) => ({ value, label: spanText(Number(value), 'day') }))}
        />
      </div>
      {isError && !days ? (
        <Failed retry={() => void refetch()} />
      ) : !days ? (
        <Skeleton className="h-72" />
      ) : isEmpty(days) ? (
        <Empty action={<LinkButton to="/rechargeMoney">{t('wallet.deposit')}</LinkButton>}>
          {t('wallet.equityEmpty')}
        </Empty>
      ) : (
        <>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-body">
              <span className="text-t2">{t('wallet.equityProfit')}</span>{' '}
              <Signed usdt={profit ?? '0'} worth={worth} className="font-semibold" />
            </p>
            <Button size="small" kind="quiet" aria-expanded={figures} onClick={() => setFigures(!figures)}>
              {t('wallet.equityFigures')}
            </Button>
          </div>
          <Picture days={days} />
          {figures && <Figures days={days} worth={worth} />}
        </>
      )}
    </Panel>
  );
}

type Worth = (usdt: string) => string;

function Signed({ usdt, worth, className }: { usdt: string; worth: Worth; className?: string }) {
  const direction = directionOf(usdt);
  return (
    <Num className={cx(direction > 0 && 'text-up', direction < 0 && 'text-down', className)}>
      {direction > 0 ? worth(usdt).replace('≈ ', '≈ +') : worth(usdt)}
    </Num>
  );
}

/** The chart; readers get the figures. */
function Picture({ days }: { days: readonly EquityDay[] }) {
  const host = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<EquityChart>();
  const { rate } = useReference();
  const { theme, palette } = useAppearance();
  useEffect(() => {
    let gone = false;
    let made: EquityChart | undefined;
    void import('./equity-chart.js').then(({ EquityChart: Chart }) => {
      if (gone || !host.current) return;
      made = new Chart(host.current);
      setChart(made);
    });
    return () => {
      gone = true;
      made?.remove();
      setChart(undefined);
    };
  }, []);
  useEffect(() => {
    const drawn = (usdt: string): number => Number(times(usdt, rate?.per_usdt ?? '1'));
    chart?.draw(days.map(({ day, equity: usdt, profit }) => ({ day, worth: drawn(usdt), profit: drawn(profit) })));
  }, [chart, days, rate, theme, palette]);
  return <div ref={host} aria-hidden dir="ltr" className="h-72 max-md:h-60" />;
}

function Figures({ days, worth }: { days: readonly EquityDay[]; worth: Worth }) {
  const { t } = useTranslation();
  return (
    <Table<EquityDay>
      label={t('wallet.equity')}
      className="max-h-96"
      rows={days.toReversed()}
      rowKey={({ day }) => day}
      empty={t('wallet.equityEmpty')}
      columns={[
        { id: 'day', header: t('wallet.equityDay'), cell: ({ day }) => <Num>{day}</Num> },
        { id: 'worth', header: t('wallet.worth'), end: true, cell: (row) => <Num>{worth(row.equity)}</Num> },
        {
          id: 'deposits',
          header: t('wallet.equityDeposits'),
          end: true,
          cell: (row) => <Num className="text-t2">{worth(row.deposits)}</Num>,
        },
        {
          id: 'profit',
          header: t('wallet.equityProfit'),
          end: true,
          cell: (row) => <Signed usdt={row.profit} worth={worth} />,
        },
      ]}
    />
  );
}
