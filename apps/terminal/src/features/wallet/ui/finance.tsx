import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { keys } from '@bourse/api-client';
import { Checkbox, Empty, Panel, Skeleton, Tabs } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { Failed } from '../../../parts/failed.js';
import { useKept } from '../../../prefs/use-kept.js';
import { wallet } from '../api/wallet.js';
import { ACCOUNT_TEXT, accountOfPath, ACCOUNTS, coinRow, groupOf, LIST_ADDRESS } from '../model/wallet.js';
import { BalancePanel, type PanelName } from './balance-panel.js';
import { BalanceTable } from './balance-table.js';
import { StatementBox } from './statement-box.js';
import { TransferDialog } from './transfer-dialog.js';
import { WalletTotal } from './wallet-total.js';

const EquityBox = lazy(() => import('./equity-box.js'));

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
  const [open, setOpen] = useState<{ readonly currency: number; readonly panel: PanelName }>();
  const [moving, setMoving] = useState<number>();
  const rows =
    list.data &&
    groupOf(list.data, account)
      .balance.map((coin) => coinRow(coin, account))
      .filter((row) => !hideZero || !row.zero);
  // Sections below are shown after the balances, which would move them.
  const isSettled = list.data !== undefined || list.isError;
  return (
    <div className="flex flex-col gap-4">
      <WalletTotal
        wallet={list.data}
        account={account}
        hidden={hidden}
        onHide={setHidden}
        onTransfer={() => setMoving(0)}
      />
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
        <BalanceTable
          account={account}
          rows={rows}
          failed={list.isError}
          hidden={hidden}
          openOf={(row) => (open?.currency === row.currency ? open.panel : undefined)}
          panelOf={(row) =>
            open && (
              <BalancePanel panel={open.panel} account={account} row={row} isOpen={list.data?.is_open_CTbi === 1} />
            )
          }
          onToggle={(currency, panel) =>
            setOpen(open?.currency === currency && open.panel === panel ? undefined : { currency, panel })
          }
          onTransfer={setMoving}
        />
        {list.isError && !list.data && <Failed retry={() => void list.refetch()} />}
        {rows?.length === 0 && <Empty>{t('wallet.empty')}</Empty>}
      </Panel>
      {isSettled && !hidden && (
        <Suspense fallback={<Skeleton className="h-96" />}>
          <EquityBox />
        </Suspense>
      )}
      {isSettled && <StatementBox />}
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
