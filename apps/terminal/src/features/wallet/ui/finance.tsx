import { useQuery } from '@tanstack/react-query';
import { Eye, EyeOff } from 'lucide-react';
import { Fragment, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { keys } from '@bourse/api-client';
import type { Product } from '@bourse/contract';
import { Button, Checkbox, Empty, fixed, formatBalance, grouped, Num, Panel, Skeleton, Tabs } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { useKept } from '../../../prefs/use-kept.js';
import { wallet } from '../api/wallet.js';
import {
  ACCOUNT_TEXT,
  accountOfPath,
  ACCOUNTS,
  coinRow,
  DETAIL_ADDRESS,
  groupOf,
  LIST_ADDRESS,
  type CoinRow,
} from '../model/wallet.js';
import { DepositPanel } from './deposit-panel.js';
import { Failed } from '../../../parts/failed.js';
import { Records } from './records.js';
import { StatementBox } from './statement-box.js';
import { TransferDialog } from './transfer-dialog.js';
import { WithdrawPanel } from './withdraw-panel.js';

const HIDDEN = '••••••';
type PanelName = 'deposit' | 'withdraw' | 'records';
interface Open {
  readonly currency: number;
  readonly panel: PanelName;
}

/**
 * Balances per coin of one account. Each row opens into one panel: deposit, withdrawal or records; opening one closes
 * another.
 */
export default function Finance() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const account = accountOfPath(useLocation().pathname);
  const list = useQuery({ queryKey: keys.wallet, queryFn: () => wallet(api), refetchInterval: 10_000 });
  const [hidden, setHidden] = useKept('balances-hidden', false);
  const [hideZero, setHideZero] = useKept('balances-hide-zero', false);
  const [open, setOpen] = useState<Open>();
  const [moving, setMoving] = useState<number>();
  const rows =
    list.data &&
    groupOf(list.data, account)
      .balance.map((coin) => coinRow(coin, account))
      .filter((row) => !hideZero || !row.zero);
  const show = (text: string): string => (hidden ? HIDDEN : text);
  const toggle = (currency: number, panel: PanelName): void =>
    setOpen(open?.currency === currency && open.panel === panel ? undefined : { currency, panel });
  const panels: PanelName[] = account === 'change' ? ['deposit', 'withdraw', 'records'] : ['records'];
  const actions = (row: CoinRow): ReactNode => (
    <>
      {panels.map((panel) => {
        const shown = open?.currency === row.currency && open.panel === panel;
        return (
          <Button
            key={panel}
            size="small"
            kind={shown ? 'secondary' : 'quiet'}
            aria-expanded={shown}
            aria-controls={shown ? `panel-${row.currency}` : undefined}
            aria-label={`${t(`wallet.${panel}`)} ${row.name}`}
            onClick={() => toggle(row.currency, panel)}
          >
            {t(`wallet.${panel}`)}
          </Button>
        );
      })}
      <Button
        size="small"
        kind="quiet"
        aria-label={`${t('wallet.transfer')} ${row.name}`}
        onClick={() => setMoving(row.currency)}
      >
        {t('wallet.transfer')}
      </Button>
    </>
  );
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="flex items-center gap-2 text-body text-t2">
            {t('wallet.total')}
            <button
              type="button"
              aria-pressed={hidden}
              aria-label={t(hidden ? 'wallet.show' : 'wallet.hide')}
              onClick={() => setHidden(!hidden)}
              className="grid size-6 place-items-center rounded-chip hover:text-t1"
            >
              {hidden ? <EyeOff size={14} aria-hidden /> : <Eye size={14} aria-hidden />}
            </button>
          </h1>
          {list.data ? (
            <p className="text-balance font-semibold">
              <Num>{hidden ? HIDDEN : `≈ $${grouped(fixed(list.data.total_assets, 4))}`}</Num>
            </p>
          ) : (
            <Skeleton className="h-9 w-48" />
          )}
          <p className="h-5 text-table text-t2">
            {list.data && (
              <>
                {t(ACCOUNT_TEXT[account])}{' '}
                <Num>{hidden ? HIDDEN : `≈ $${grouped(fixed(groupOf(list.data, account).usdt_totle, 4))}`}</Num>
              </>
            )}
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Link
            to="/rechargeMoney"
            className={
              'inline-flex h-10 items-center rounded-panel bg-t1 px-4 text-button ' +
              'font-medium text-on-t1 hover:opacity-90'
            }
          >
            {t('wallet.deposit')}
          </Link>
          <Button onClick={() => setMoving(0)} disabled={!list.data}>
            {t('wallet.transfer')}
          </Button>
          <Link
            to="/account/coinRecord"
            className="inline-flex h-10 items-center rounded-panel px-3 text-button text-t2 underline hover:text-t1"
          >
            {t('nav.coinRecord')}
          </Link>
          <Link
            to="/transferRecord"
            className="inline-flex h-10 items-center rounded-panel px-3 text-button text-t2 underline hover:text-t1"
          >
            {t('wallet.history')}
          </Link>
        </div>
      </div>
      <Panel>
        <Tabs
          label={t('wallet.account')}
          value={account}
          onChange={(next) => {
            setOpen(undefined);
            void navigate(LIST_ADDRESS[next]);
          }}
          tabs={ACCOUNTS.map((id) => ({ id, label: t(ACCOUNT_TEXT[id]) }))}
          end={
            <Checkbox
              className="px-3"
              label={t('wallet.hideSmall')}
              checked={hideZero}
              onChange={(event) => setHideZero(event.target.checked)}
            />
          }
        />
        <div className="relative overflow-x-auto" tabIndex={0} role="region" aria-label={t(ACCOUNT_TEXT[account])}>
          <table className="w-full border-collapse text-table">
            <thead>
              <tr className="text-t2">
                <th scope="col" className="h-9 px-3 text-start font-normal">
                  {t('common.coin')}
                </th>
                <th scope="col" className="px-3 text-end font-normal">
                  {t('wallet.available')}
                </th>
                <th scope="col" className="px-3 text-end font-normal">
                  {t('wallet.frozen')}
                </th>
                <th scope="col" className="px-3 text-end font-normal max-md:hidden">
                  {t('wallet.converted')}
                </th>
                <th scope="col" className="max-md:hidden">
                  <span className="sr-only">{t('wallet.records')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows === undefined &&
                !list.isError &&
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
                    <td className="px-3 text-end">
                      <Num>{show(formatBalance(row.available))}</Num>
                    </td>
                    <td className="px-3 text-end text-t2">
                      <Num>{show(formatBalance(row.frozen))}</Num>
                    </td>
                    <td className="px-3 text-end text-t2 max-md:hidden">
                      <Num>{show(formatBalance(row.converted))}</Num>
                    </td>
                    <td className="px-3 text-end whitespace-nowrap max-md:hidden">{actions(row)}</td>
                  </tr>
                  {/* A phone has no room for the column: what can be done stands under the figures. */}
                  <tr className="md:hidden">
                    <td colSpan={5} className="px-1 pb-2">
                      <div className="flex flex-wrap justify-end gap-1">{actions(row)}</div>
                    </td>
                  </tr>
                  {open?.currency === row.currency && (
                    <tr>
                      <td colSpan={5} className="bg-bg2 p-0">
                        <section id={`panel-${row.currency}`} aria-label={`${t(`wallet.${open.panel}`)} ${row.name}`}>
                          <Opened
                            panel={open.panel}
                            account={account}
                            row={row}
                            isOpen={list.data?.is_open_CTbi === 1}
                          />
                        </section>
                      </td>
                    </tr>
                  )}
                </Fragment>
              ))}
            </tbody>
          </table>
        </div>
        {list.isError && !list.data && <Failed retry={() => void list.refetch()} />}
        {rows?.length === 0 && <Empty>{t('wallet.empty')}</Empty>}
      </Panel>
      <StatementBox />
      {/* Every coin, once: change knows them all. */}
      {moving !== undefined && list.data && (
        <TransferDialog
          coins={list.data.change_wallet.balance}
          currency={moving}
          from={account}
          onClose={() => setMoving(undefined)}
        />
      )}
    </div>
  );
}

function Opened({
  panel,
  account,
  row,
  isOpen,
}: {
  panel: PanelName;
  account: Product;
  row: CoinRow;
  isOpen: boolean;
}) {
  const { t } = useTranslation();
  if (panel !== 'records' && !isOpen)
    return (
      <p role="status" className="p-6 text-center text-body text-t2">
        {t('noopen')}
      </p>
    );
  if (panel === 'deposit') return <DepositPanel currency={row.currency} coin={row.name} />;
  if (panel === 'withdraw') return <WithdrawPanel currency={row.currency} coin={row.name} available={row.available} />;
  return <Records account={account} currency={row.currency} coin={row.name} />;
}
