import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { keys } from '@bourse/api-client';
import type { BoundAddress } from '@bourse/contract';
import { Button, Empty, Num, Skeleton } from '@bourse/ui';
import { api, queryClient } from '../../../core/api.js';
import { toastDone, useSubmission } from '@bourse/web';
import { SubmissionDialog } from '../../../forms/submission-dialog.js';
import { boundAddresses, removeAddress } from '../api/withdrawals.js';
import { coolingFor } from '../model/withdraw.js';
import { countdown } from '../../../parts/countdown.js';
import { AddressText } from '../../../parts/address-text.js';
import { Failed } from '../../../parts/failed.js';
import { Time } from '../../../parts/time.js';
import { useCoin } from './use-coin.js';
import { useServerClock } from '../../../parts/use-server-clock.js';

export function BoundList({ currency }: { currency: number }) {
  const { t } = useTranslation();
  const { info } = useCoin(currency);
  const [removing, setRemoving] = useState<BoundAddress>();
  const list = useQuery({ queryKey: keys.boundAddresses(currency), queryFn: () => boundAddresses(api, currency) });
  const now = useServerClock((list.data?.length ?? 0) > 0);
  if (list.isError && !list.data) return <Failed retry={() => void list.refetch()} />;
  if (!list.data)
    return (
      <div className="p-4">
        <Skeleton className="h-12 w-full" />
      </div>
    );
  if (list.data.length === 0) return <Empty>{t('wallet.noBound')}</Empty>;
  return (
    <>
      <ul aria-label={t('wallet.boundAddresses')} className="divide-y divide-line">
        {list.data.map((row) => {
          const left = coolingFor(row, now);
          return (
            <li key={row.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 p-4">
              <div className="flex min-w-0 flex-col gap-1">
                <p className="text-body">
                  <AddressText full>{row.address}</AddressText>
                </p>
                <p className="flex flex-wrap gap-x-3 text-table text-t2">
                  <Num>
                    {row.coin_name} · {info?.type_data.find(({ id }) => id === row.type)?.type}
                  </Num>
                  {row.memo !== '' && (
                    <span>
                      {t('wallet.memo')} <Num>{row.memo}</Num>
                    </span>
                  )}
                  <Time>{row.created_at}</Time>
                </p>
              </div>
              <div className="flex items-center gap-3">
                {left > 0 ? (
                  <span className="text-table text-warn">{t('wallet.cooling', { left: countdown(left) })}</span>
                ) : (
                  <span className="text-table text-up">✓ {t('wallet.usable')}</span>
                )}
                <Button
                  size="small"
                  aria-label={`${t('wallet.remove')} ${row.address}`}
                  onClick={() => setRemoving(row)}
                >
                  {t('wallet.remove')}
                </Button>
              </div>
            </li>
          );
        })}
      </ul>
      {removing && <RemoveDialog address={removing} onClose={() => setRemoving(undefined)} />}
    </>
  );
}

function RemoveDialog({ address, onClose }: { address: BoundAddress; onClose: () => void }) {
  const { t } = useTranslation();
  const write = useSubmission();
  const remove = async (): Promise<void> => {
    await write.run(async () => {
      toastDone(await removeAddress(api, address.address_id));
      onClose();
    });
    await queryClient.invalidateQueries({ queryKey: keys.boundAddresses(address.currency) });
  };
  return (
    <SubmissionDialog
      title={t('wallet.removeTitle')}
      description={t('wallet.removeText')}
      submission={write}
      action={t('wallet.remove')}
      kind="danger"
      onSend={() => void remove()}
      onClose={onClose}
    >
      <p>
        <AddressText full>{address.address}</AddressText>
      </p>
    </SubmissionDialog>
  );
}
