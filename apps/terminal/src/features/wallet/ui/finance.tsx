import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Eye, EyeOff } from 'lucide-react';
import { Fragment, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { keys } from '@bourse/api-client';
import type { Product, WalletList } from '@bourse/contract';
import { Button, Checkbox, cx, Empty, fixed, formatBalance, grouped, Num, Panel, Skeleton, Tabs } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { useKept } from '../../../prefs/use-kept.js';
import { coinLog, wallet } from '../api/wallet.js';
import { ACCOUNT_TEXT, ACCOUNTS, coinRow, groupOf, type CoinRow } from '../model/wallet.js';
import { LogTable } from './log-table.js';
import { StatementBox } from './statement-box.js';
import { TransferDialog } from './transfer-dialog.js';

const ADDRESS: Record<Product, string> = { change: '/finance', legal: '/legal', lever: '/lever', micro: '/micro' };
const HIDDEN = '••••••';

/** Balances per coin of one account, each row with its records; one row is open at a time. */
export default function Finance() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const account = ACCOUNTS.find((name) => pathname.endsWith(ADDRESS[name])) ?? 'change';
  const list = useQuery({ queryKey: keys.wallet, queryFn: () => wallet(api), refetchInterval: 10_000 });
  const [hidden, setHidden] = useKept('balances-hidden', false);
  const [hideZero, setHideZero] = useKept('balances-hide-zero', false);
  const [open, setOpen] = useState<number>();
  const [moving, setMoving] = useState<number>();
  const rows = list.data && groupOf(list.data, account).balance.map((coin) => coinRow(coin, account)).filter((row) => !hideZero || !row.zero);
  const show = (text: string): string => (hidden ? HIDDEN : text);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="flex items-center gap-2 text-body text-t2">
            {t('wallet.total')}
            <button type="button" aria-pressed={hidden} aria-label={t(hidden ? 'wallet.show' : 'wallet.hide')} onClick={() => setHidden(!hidden)} className="grid size-6 place-items-center rounded-chip hover:text-t1">{hidden ? <EyeOff size={14} aria-hidden /> : <Eye size={14} aria-hidden />}</button>
          </h1>
          {list.data ? <p className="text-balance font-semibold"><Num>{hidden ? HIDDEN : `≈ $${grouped(fixed(list.data.total_assets, 4))}`}</Num></p> : <Skeleton className="h-9 w-48" />}
        </div>
        <div className="flex gap-2">
          <Button onClick={() => setMoving(0)} disabled={!list.data}>{t('wallet.transfer')}</Button>
          <Link to="/transferRecord" className="inline-flex h-10 items-center rounded-panel px-3 text-button text-t2 underline hover:text-t1">{t('wallet.history')}</Link>
        </div>
      </div>
      <Panel>
        <Tabs label={t('wallet.account')} value={account} onChange={(next) => { setOpen(undefined); void navigate(ADDRESS[next]); }} tabs={ACCOUNTS.map((id) => ({ id, label: t(ACCOUNT_TEXT[id]) }))}
          end={<Checkbox className="px-3" label={t('wallet.hideSmall')} checked={hideZero} onChange={(event) => setHideZero(event.target.checked)} />} />
        <div className="relative overflow-x-auto" tabIndex={0} role="region" aria-label={t(ACCOUNT_TEXT[account])}>
          <table className="w-full border-collapse text-table">
            <thead><tr className="text-t2">
              <th scope="col" className="h-9 px-3 text-start font-normal">{t('wallet.coin')}</th><th scope="col" className="px-3 text-end font-normal">{t('wallet.available')}</th>
              <th scope="col" className="px-3 text-end font-normal max-md:hidden">{t('wallet.frozen')}</th><th scope="col" className="px-3 text-end font-normal max-md:hidden">{t('wallet.converted')}</th><th scope="col"><span className="sr-only">{t('wallet.records')}</span></th>
            </tr></thead>
            <tbody>
              {rows === undefined && !list.isError && [0, 1, 2, 3].map((row) => <tr key={row} className="border-t border-line"><td colSpan={5} className="h-10 px-3"><Skeleton className="h-4 w-full" /></td></tr>)}
              {rows?.map((row) => (
                <Fragment key={row.currency}>
                  <tr className="border-t border-line hover:bg-bg2">
                    <th scope="row" className="h-10 px-3 text-start text-button font-medium"><Num>{row.name}</Num></th>
                    <td className="px-3 text-end">
                      <Num>{show(formatBalance(row.available))}</Num>
                      {/* A phone has no room for the column: what is frozen stands under what is free. */}
                      <span className="block text-label text-t2 md:hidden">{t('wallet.frozen')} <Num>{show(formatBalance(row.frozen))}</Num></span>
                    </td>
                    <td className="px-3 text-end text-t2 max-md:hidden"><Num>{show(formatBalance(row.frozen))}</Num></td>
                    <td className="px-3 text-end text-t2 max-md:hidden"><Num>{show(formatBalance(row.converted))}</Num></td>
                    <td className="px-3 text-end whitespace-nowrap">
                      <Button size="small" kind="quiet" onClick={() => setMoving(row.currency)}>{t('wallet.transfer')}</Button>
                      <Button size="small" kind="quiet" aria-expanded={open === row.currency} onClick={() => setOpen(open === row.currency ? undefined : row.currency)}>{t(open === row.currency ? 'wallet.closeRecords' : 'wallet.records')}</Button>
                    </td>
                  </tr>
                  {open === row.currency && <tr><td colSpan={5} className={cx('bg-bg2 p-0')}><Records account={account} row={row} /></td></tr>}
                </Fragment>
              ))}
            </tbody>
          </table>
        </div>
        {list.isError && !list.data && <Empty action={<Button onClick={() => void list.refetch()}>{t('common.retry')}</Button>}>{t('common.loadFailed')}</Empty>}
        {rows?.length === 0 && <Empty>{t('wallet.empty')}</Empty>}
      </Panel>
      <StatementBox />
      {moving !== undefined && list.data && <TransferDialog coins={coinsOf(list.data)} currency={moving} from={account} onClose={() => setMoving(undefined)} />}
    </div>
  );
}

/** Every coin, once: change knows them all. */
const coinsOf = (list: WalletList) => list.change_wallet.balance;

function Records({ account, row }: { account: Product; row: CoinRow }) {
  const { t } = useTranslation();
  const log = useInfiniteQuery({
    queryKey: [...keys.wallet, 'log', account, row.currency], initialPageParam: 1,
    queryFn: ({ pageParam }) => coinLog(api, account, row.currency, pageParam),
    getNextPageParam: (last) => (last.has_more === 1 ? last.page + 1 : undefined),
  });
  return <LogTable label={`${t('wallet.records')} ${row.name}`} rows={log.data?.pages.flatMap((page) => page.list)} more={log.hasNextPage} loading={log.isFetchingNextPage} onMore={() => void log.fetchNextPage()} />;
}
