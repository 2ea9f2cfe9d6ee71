import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Product } from '@bourse/contract';
import { Button, formatBalance, Num, Skeleton } from '@bourse/ui';
import { useWorth } from '../../../core/reference.js';
import { ACCOUNT_TEXT, DETAIL_ADDRESS, type CoinRow } from '../model/wallet.js';
import type { PanelName } from './balance-panel.js';
import { HIDDEN } from './wallet-total.js';

const panelId = (row: CoinRow): string => `panel-${row.currency}`;

/** Balances per coin; each row has the acts on its coin, which open under it. */
export function BalanceTable({
  account,
  rows,
  failed,
  hidden,
  openOf,
  panelOf,
  onToggle,
  onTransfer,
}: {
  account: Product;
  rows: readonly CoinRow[] | undefined;
  failed: boolean;
  hidden: boolean;
  /** The panel that is open under a row. */
  openOf: (row: CoinRow) => PanelName | undefined;
  panelOf: (row: CoinRow) => ReactNode;
  onToggle: (currency: number, panel: PanelName) => void;
  onTransfer: (currency: number) => void;
}) {
  const { t } = useTranslation();
  const worth = useWorth();
  const show = (text: string): string => (hidden ? HIDDEN : text);
  const actions = (row: CoinRow): ReactNode => (
    <RowActions
      account={account}
      row={row}
      open={openOf(row)}
      onToggle={(panel) => onToggle(row.currency, panel)}
      onTransfer={() => onTransfer(row.currency)}
    />
  );
  return (
    <div className="relative overflow-x-auto" tabIndex={0} role="region" aria-label={t(ACCOUNT_TEXT[account])}>
      <table className="w-full border-collapse text-table">
        <thead>
          <tr className="text-t2">
            <th scope="col" className="h-9 px-3 text-start font-normal">
              {t('common.coin')}
            </th>
            <th scope="col" className="px-3 text-right font-normal">
              {t('wallet.available')}
            </th>
            <th scope="col" className="px-3 text-right font-normal">
              {t('wallet.frozen')}
            </th>
            <th scope="col" className="px-3 text-right font-normal max-md:hidden">
              {t('wallet.worth')}
            </th>
            <th scope="col" className="max-md:hidden">
              <span className="sr-only">{t('wallet.records')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows === undefined &&
            !failed &&
            [0, 1, 2, 3, 4, 5, 6, 7].map((row) => (
              <tr key={row} className="border-t border-line">
                <td colSpan={5} className="h-10 px-3">
                  <Skeleton className="h-4 w-full" />
                </td>
              </tr>
            ))}
          {rows?.map((row) => (
            <Fragment key={row.currency}>
              <tr className="border-t border-line hover:bg-bg2">
                <th scope="row" className="h-10 px-3 text-start text-button font-medium">
                  {DETAIL_ADDRESS[account] ? (
                    <Link className="hover:underline" to={`${DETAIL_ADDRESS[account]}?currency_id=${row.currency}`}>
                      <Num>{row.name}</Num>
                    </Link>
                  ) : (
                    <Num>{row.name}</Num>
                  )}
                </th>
                <td className="px-3 text-right">
                  <Num>{show(formatBalance(row.available))}</Num>
                </td>
                <td className="px-3 text-right text-t2">
                  <Num>{show(formatBalance(row.frozen))}</Num>
                </td>
                <td className="px-3 text-right text-t2 max-md:hidden">
                  <Num>{show(worth(row.converted))}</Num>
                </td>
                <td className="px-3 text-end whitespace-nowrap max-md:hidden">{actions(row)}</td>
              </tr>
              {/* A phone has no room for the column: the acts are under the figures. */}
              <tr className="md:hidden">
                <td colSpan={5} className="px-1 pb-2">
                  <div className="flex flex-wrap justify-end gap-1">{actions(row)}</div>
                </td>
              </tr>
              {openOf(row) && (
                <tr>
                  <td colSpan={5} className="bg-bg2 p-0">
                    <section id={panelId(row)} aria-label={`${t(`wallet.${openOf(row)}`)} ${row.name}`}>
                      {panelOf(row)}
                    </section>
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RowActions({
  account,
  row,
  open,
  onToggle,
  onTransfer,
}: {
  account: Product;
  row: CoinRow;
  open: PanelName | undefined;
  onToggle: (panel: PanelName) => void;
  onTransfer: () => void;
}) {
  const { t } = useTranslation();
  const panels: readonly PanelName[] = account === 'change' ? ['deposit', 'withdraw', 'records'] : ['records'];
  return (
    <>
      {panels.map((panel) => {
        const shown = open === panel;
        return (
          <Button
            key={panel}
            size="small"
            kind={shown ? 'secondary' : 'quiet'}
            aria-expanded={shown}
            aria-controls={shown ? panelId(row) : undefined}
            aria-label={`${t(`wallet.${panel}`)} ${row.name}`}
            onClick={() => onToggle(panel)}
          >
            {t(`wallet.${panel}`)}
          </Button>
        );
      })}
      <Button size="small" kind="quiet" aria-label={`${t('wallet.transfer')} ${row.name}`} onClick={onTransfer}>
        {t('wallet.transfer')}
      </Button>
    </>
  );
}
