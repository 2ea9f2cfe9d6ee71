import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import { keys } from '@bourse/api-client';
import type { LeverPosition, WalletLog } from '@bourse/contract';
import {
  atMost,
  Change,
  DescriptionList,
  Empty,
  formatBookPrice,
  grouped,
  Num,
  Panel,
  Skeleton,
  Table,
} from '@bourse/ui';
import { ComplainLink } from '../../../parts/complain-link.js';
import { Failed } from '../../../parts/failed.js';
import { FeedChip } from '../../../parts/feed-chip.js';
import { Time } from '../../../parts/time.js';
import { readRecord } from '../api/record.js';
import { roiOf } from '../model/positions.js';
import { storyOf } from '../model/story.js';
import { Signed } from './signed.js';
import { PictureButton } from './picture-button.js';
import { PositionSide } from './position-side.js';
import { scalesOfRow, usePairs } from './use-pairs.js';

/** One position as its story: ordered, opened, night fees, closed, and its ledger entries (api §5). */
export default function LeverRecord() {
  const { t } = useTranslation();
  const id = useSearchParams()[0].get('id') ?? '';
  const { data, isError, refetch } = useQuery({
    queryKey: keys.leverRecord(id),
    refetchInterval: 10_000,
    queryFn: () => readRecord(id),
  });
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-last font-semibold">{t('lever.record')}</h1>
        <Link className="text-table text-t2 underline hover:text-t1" to="/leverList">
          {t('nav.leverList')}
        </Link>
      </div>
      {isError && !data ? (
        <Failed retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton className="h-72 w-full" />
      ) : data.row === undefined ? (
        <Empty>{t('lever.empty')}</Empty>
      ) : (
        <>
          <Panel className="p-4">
            <Facts row={data.row} />
            <p className="mt-3 flex flex-wrap items-center gap-4">
              <PictureButton row={data.row} />
              <ComplainLink kind="trade" about={data.row.id} />
            </p>
          </Panel>
          <Panel>
            <Story row={data.row} entries={data.entries} />
          </Panel>
          <Panel>
            <Table
              label={t('lever.journals')}
              rows={data.entries}
              rowKey={(entry) => entry.id}
              empty={t('lever.empty')}
              columns={[
                { id: 'time', header: t('orders.time'), cell: (entry) => <Time>{entry.created_time}</Time> },
                { id: 'info', header: t('lever.journals'), card: 'title', wraps: true, cell: (entry) => entry.info },
                {
                  id: 'account',
                  header: t('lever.account'),
                  cell: (entry) => t(entry.state === 'held' ? 'lever.margin' : 'lever.balance'),
                },
                {
                  id: 'value',
                  header: t('ticket.amount'),
                  end: true,
                  cell: (entry) => <Signed unit={entry.currency_name}>{entry.value}</Signed>,
                },
              ]}
            />
          </Panel>
        </>
      )}
    </div>
  );
}

function Facts({ row }: { row: LeverPosition }) {
  const { t } = useTranslation();
  const pair = usePairs().get(row.symbol);
  const price = (text: string) => (
    <Num>{/[1-9]/.test(text) ? formatBookPrice(text, scalesOfRow(pair).price_scale) : '–'}</Num>
  );
  const money = (text: string) => <Num>{`${grouped(atMost(text, 8))} ${row.legal}`}</Num>;
  const roi = roiOf(row);
  const fact = (name: string, value: React.ReactNode) => ({ id: name, name: t(name), value });
  return (
    <DescriptionList
      facts={[
        fact(
          'orders.pair',
          <span className="inline-flex items-center gap-1">
            <Num>{row.symbol}</Num>
            <FeedChip feed={pair?.feed ?? 'live'} />
          </span>,
        ),
        fact(
          'orders.side',
          <PositionSide type={row.type}>
            <Num>{row.multiple}×</Num>
          </PositionSide>,
        ),
        fact('orders.state', t(`lever.state.${row.status}`)),
        fact('lever.hands', <Num>{`${row.share} · ${grouped(atMost(row.number, 8))} ${row.currency}`}</Num>),
        fact('lever.openPrice', price(row.price)),
        fact(row.status === 3 ? 'lever.closePrice' : 'lever.mark', price(row.update_price)),
        fact('lever.liquidation', price(row.liquidation_price)),
        fact('lever.target', price(row.target_profit_price)),
        fact('lever.stop', price(row.stop_loss_price)),
        fact('lever.margin', money(row.caution_money)),
        fact('lever.fee', money(row.trade_fee)),
        fact('lever.overnight', money(row.overnight_money)),
        fact('lever.profit', <Signed unit={row.legal}>{row.profits}</Signed>),
        ...(roi === '' || row.status === 0 || row.status === 4 ? [] : [fact('lever.roi', <Change value={roi} />)]),
        ...(/[1-9]/.test(row.fund_paid) ? [fact('lever.fundPaid', money(row.fund_paid))] : []),
      ]}
    />
  );
}

/** The events of a position, in the order of time. */
function Story({ row, entries }: { row: LeverPosition; entries: readonly WalletLog[] }) {
  const { t } = useTranslation();
  return (
    <ol className="flex flex-col gap-2 p-4" aria-label={t('lever.record')}>
      {storyOf(row, entries).map(({ id, text, time, amount }) => (
        <li key={id} className="flex flex-wrap gap-x-4 text-body">
          <span className="text-t2">
            <Time>{time}</Time>
          </span>
          {t(text)}
          {amount !== undefined && <Signed unit={row.legal}>{amount}</Signed>}
        </li>
      ))}
    </ol>
  );
}
