import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { WalletList } from '@bourse/contract';
import { formatBalance, Num, Panel, Skeleton, Table } from '@bourse/ui';
import { useFeeLevel } from '../../../core/fee-level.js';
import { useWorth } from '../../../core/reference.js';
import { useSession } from '../../../core/session.js';
import { useWallet } from '../../../core/wallet.js';
import { hasScreen } from '../../../paths.js';
import { Failed } from '../../../parts/failed.js';
import { IDENTITY_TEXTS, isWellProtected, levelName } from '../model/security.js';
import { ActionLink, State } from './parts.js';
import { useCenter } from './use-center.js';

type Row = WalletList['list'][number];

/** Greeting, total, the state of the account, and what there is of each coin. */
export default function AccountCentre() {
  const { t } = useTranslation();
  const info = useSession((session) => session.info);
  const { wallet, failed, retry } = useWallet();
  const worth = useWorth();
  const deposit = ['/account/recharge', '/recharge'].find(hasScreen) ?? '/finance';
  return (
    <div className="flex flex-col gap-4">
      <Panel className="flex flex-wrap items-center justify-between gap-4 p-4">
        <div className="min-w-0">
          <h1 className="text-title font-semibold">
            {info ? (
              t('centre.greeting', { account: `\u2066${info.account_number}\u2069` })
            ) : (
              <Skeleton className="h-5 w-56" />
            )}
          </h1>
          <p className="mt-3 text-table text-t2">{t('centre.total')}</p>
          {wallet ? (
            <p className="min-h-9 text-balance font-semibold">
              <Num>{worth(wallet.total_assets)}</Num>
            </p>
          ) : failed ? null : (
            <Skeleton className="h-9 w-48" />
          )}
        </div>
        <ActionLink primary to={deposit}>
          {t('centre.charge')}
        </ActionLink>
      </Panel>
      <AccountState />
      <Panel>
        {failed ? (
          <Failed retry={retry} />
        ) : (
          <Table<Row>
            label={t('centre.coins')}
            rows={wallet?.list}
            rowKey={(row) => row.token}
            empty={t('centre.empty')}
            columns={[
              {
                id: 'token',
                header: t('centre.token'),
                cell: (row) => <Num className="text-button font-medium">{row.token}</Num>,
              },
              {
                id: 'available',
                header: t('centre.available'),
                end: true,
                cell: (row) => <Num>{formatBalance(row.balance)}</Num>,
              },
              {
                id: 'frozen',
                header: t('centre.frozen'),
                end: true,
                cell: (row) => <Num className="text-t2">{formatBalance(row.lock_balance)}</Num>,
              },
            ]}
          />
        )}
      </Panel>
    </div>
  );
}

/** How well the account is protected, whether its owner may trade and withdraw, and the level of the fees. */
function AccountState() {
  const { t } = useTranslation();
  const info = useSession((session) => session.info);
  const { data: center } = useCenter();
  const { data: fees } = useFeeLevel();
  const level = center && levelName(center.security_level);
  return (
    <div className="grid gap-2 md:grid-cols-2 lg:grid-cols-4">
      <StateCard title={t('security.level')} to="/account/accountSet">
        {center && level && (
          <State good={isWellProtected(center.security_level)}>
            <Num>{center.security_level} %</Num> · {t(`security.level.${level}`)}
          </State>
        )}
      </StateCard>
      <StateCard title={t('nav.identity')} to="/account/authentication">
        {center && <State good={center.review_status === 2}>{t(IDENTITY_TEXTS[center.review_status])}</State>}
      </StateCard>
      <StateCard title={t('nav.fundPassword')} to="/bindmpwd">
        {info && (
          <State good={info.has_fund_password === 1}>
            {t(info.has_fund_password === 1 ? 'security.isSet' : 'security.fundMissing')}
          </State>
        )}
      </StateCard>
      <StateCard title={t('nav.fees')} to="/account/fees">
        {fees && <span className="text-table">{t('fees.level', { level: fees.level })}</span>}
      </StateCard>
    </div>
  );
}

/** The state of one part of the account, which leads to the page that changes it. */
function StateCard({ title, to, children }: { title: string; to: string; children: ReactNode }) {
  return (
    <Link to={to} className="flex justify-between gap-4 rounded-panel border border-line bg-bg1 p-3 hover:bg-bg2">
      <span className="text-table text-t2">{title}</span>
      {children || <Skeleton className="h-5 w-24" />}
    </Link>
  );
}
