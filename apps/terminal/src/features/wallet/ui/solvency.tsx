import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { keys } from '@bourse/api-client';
import type { SolvencyCoin } from '@bourse/contract';
import { fixed, formatBalance, grouped, Num, Panel, Skeleton, Table } from '@bourse/ui';
import { ApiError, api } from '../../../core/api.js';
import { solvency } from '../api/records.js';
import { coverage, isCovered } from '../model/solvency.js';
import { AddressText } from '../../../parts/address-text.js';
import { Failed } from '../../../parts/failed.js';
import { Note } from '../../../parts/note.js';
import { ProofChecker } from './proof-checker.js';
import { Time } from '../../../parts/time.js';

/** The exchange's published liabilities and assets, and a checker that verifies them on its own. */
export default function Solvency() {
  const { t } = useTranslation();
  const latest = useQuery({
    queryKey: keys.solvency,
    staleTime: 30_000,
    retry: (count, error) => !(error instanceof ApiError) && count < 2,
    queryFn: () => solvency(api),
  });
  const none = latest.error instanceof ApiError && latest.error.key === 'common.notFound';
  return (
    <div className="mx-auto flex w-full max-w-[1080px] flex-col gap-4 p-4">
      <div>
        <h1 className="text-last font-semibold">{t('nav.solvency')}</h1>
        <p className="mt-1 max-w-prose text-t2">{t('wallet.solvencyLead')}</p>
      </div>
      <Panel>
        <div className="flex min-h-12 flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-3">
          <h2 className="text-title font-semibold">
            {t('wallet.snapshot')} {latest.data && <Num className="text-t2">#{latest.data.snapshot_id}</Num>}
          </h2>
          {latest.data ? <Time>{latest.data.time}</Time> : <Skeleton className="h-5 w-40" />}
        </div>
        {latest.data?.simulated_assets === 1 && (
          <div className="p-4 pb-0">
            <Note tone="warn">
              <p>{t('wallet.simulatedAssets')}</p>
            </Note>
          </div>
        )}
        {none ? (
          <p className="p-6 text-center text-t2">{t('wallet.noSnapshot')}</p>
        ) : latest.isError && !latest.data ? (
          <Failed retry={() => void latest.refetch()} />
        ) : !latest.data ? (
          <Skeleton className="m-4 h-40" />
        ) : (
          <Table
            label={t('wallet.snapshot')}
            cards={false}
            rows={latest.data.currencies}
            rowKey={(row) => row.currency}
            empty={t('wallet.noSnapshot')}
            columns={[
              {
                id: 'coin',
                header: t('common.coin'),
                cell: (row) => (
                  <>
                    <Num className="font-medium">{row.currency}</Num>{' '}
                    <span className="md:hidden">
                      <Coverage row={row} />
                    </span>
                    <AddressText className="block text-label text-t2 md:hidden">{row.root_hash}</AddressText>
                  </>
                ),
              },
              {
                id: 'owed',
                header: (
                  <>
                    {t('wallet.liabilities')}
                    <span className="block md:hidden">{t('wallet.assets')}</span>
                  </>
                ),
                end: true,
                cell: (row) => (
                  <>
                    <Num>{formatBalance(row.liabilities)}</Num>
                    <Num className="block text-label text-t2 md:hidden">{formatBalance(row.assets)}</Num>
                  </>
                ),
              },
              {
                id: 'has',
                header: t('wallet.assets'),
                end: true,
                className: 'max-md:hidden',
                cell: (row) => <Num>{formatBalance(row.assets)}</Num>,
              },
              {
                id: 'covered',
                header: t('wallet.coverage'),
                end: true,
                className: 'max-md:hidden',
                cell: (row) => <Coverage row={row} />,
              },
              {
                id: 'leaves',
                header: t('wallet.leaves'),
                end: true,
                className: 'max-md:hidden',
                cell: (row) => <Num className="text-t2">{row.leaves}</Num>,
              },
              {
                id: 'root',
                header: t('wallet.root'),
                end: true,
                className: 'max-md:hidden',
                cell: (row) => <AddressText className="text-t2">{row.root_hash}</AddressText>,
              },
            ]}
          />
        )}
      </Panel>
      {!latest.isPending && <ProofChecker published={latest.data} />}
    </div>
  );
}

/** The assets in percent of the liabilities. */
function Coverage({ row }: { row: SolvencyCoin }) {
  const percent = coverage(row);
  if (percent === undefined) return <span className="text-t2">–</span>;
  return (
    <span className={isCovered(row) ? 'text-up' : 'text-down'}>
      {isCovered(row) ? '✓' : '✗'} <Num>{grouped(fixed(percent, 2))} %</Num>
    </span>
  );
}
