import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ServerStatus } from '@bourse/contract';
import { formatBalance, Num, Panel, Table } from '@bourse/ui';
import { Failed } from '../../../parts/failed.js';
import { houseRows, outcomeRows } from '../model/house.js';

/** Names of products and outcomes as services give them; an unknown one is shown unchanged. */
const PRODUCT_TEXT: Readonly<Record<string, string>> = { lever: 'nav.leverage', micro: 'nav.micro' };
const OUTCOME_TEXT: Readonly<Record<string, string>> = {
  win: 'micro.result.win',
  won: 'micro.result.win',
  loss: 'micro.result.loss',
  lost: 'micro.result.loss',
  tie: 'micro.result.tie',
  void: 'micro.result.void',
  liquidated: 'fairness.liquidated',
};

/** The house's reserves and possible debts, and how often people won, lost and were liquidated. */
export function HouseBooks({ query: { data, isError, refetch } }: { query: UseQueryResult<ServerStatus> }) {
  const { t } = useTranslation();
  const product = (name: string): string => t(PRODUCT_TEXT[name] ?? name);
  return (
    <Panel>
      <div className="border-b border-line px-4 py-3">
        <h2 className="text-title font-semibold">{t('fairness.houseTitle')}</h2>
        <p className="mt-1 max-w-prose text-table text-t2">{t('fairness.houseText')}</p>
      </div>
      {isError && !data ? (
        <Failed retry={() => void refetch()} />
      ) : (
        <>
          <Table
            label={t('fairness.houseTitle')}
            rows={data && houseRows(data)}
            rowKey={({ product: name, coin }) => `${name} ${coin}`}
            empty={t('fairness.noHouse')}
            columns={[
              { id: 'product', header: t('fairness.productTitle'), card: 'title', cell: (row) => product(row.product) },
              { id: 'coin', header: t('common.coin'), card: 'title', cell: (row) => <Num>{row.coin}</Num> },
              {
                id: 'reserved',
                header: t('fairness.reserved'),
                end: true,
                cell: (row) => <Num>{formatBalance(row.reserved)}</Num>,
              },
              {
                id: 'owed',
                header: t('fairness.owed'),
                end: true,
                cell: (row) => <Num>{formatBalance(row.owed)}</Num>,
              },
            ]}
          />
          <p className="border-b border-line px-4 py-2 text-table text-t2">{t('fairness.owedLever')}</p>
          <Table
            label={t('fairness.outcomesTitle')}
            rows={data && outcomeRows(data)}
            rowKey={({ product: name, outcome }) => `${name} ${outcome}`}
            empty={t('fairness.noOutcomes')}
            columns={[
              { id: 'product', header: t('fairness.productTitle'), card: 'title', cell: (row) => product(row.product) },
              {
                id: 'outcome',
                header: t('fairness.outcome'),
                card: 'title',
                cell: (row) => t(OUTCOME_TEXT[row.outcome] ?? row.outcome),
              },
              { id: 'count', header: t('fairness.count'), end: true, cell: (row) => <Num>{row.count}</Num> },
              { id: 'share', header: t('fairness.share'), end: true, cell: (row) => <Num>{row.share} %</Num> },
            ]}
          />
        </>
      )}
    </Panel>
  );
}
