import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { keys } from '@bourse/api-client';
import { Num, Skeleton } from '@bourse/ui';
import { ApiError, api } from '../../../core/api.js';
import { depositAddress } from '../api/deposits.js';
import { hasNetwork } from '../model/deposit.js';
import { AddressText } from '../../../parts/address-text.js';
import { CopyButton } from '../../../parts/copy-button.js';
import { Failed } from '../../../parts/failed.js';
import { Note } from '../../../parts/note.js';
import { NetworkChoice } from '../../../parts/network-choice.js';
import { useSettled } from '../../../parts/use-settled.js';
import { DemoCoins } from './demo-coins.js';
import { useCoin } from './use-coin.js';

const Qr = lazy(() => import('../../../parts/qr.js'));

/**
 * The deposit address of a coin: network, own address with its picture, memo where one is needed, and the terms of
 * crediting.
 */
export function DepositPanel({
  currency,
  coin,
  onSettled,
}: {
  currency: number;
  coin: string;
  onSettled?: () => void;
}) {
  const { t } = useTranslation();
  const { info, failed, retry, network, choose } = useCoin(currency);
  const address = useQuery({
    queryKey: keys.depositAddress(currency, network?.id ?? 0),
    enabled: network !== undefined,
    staleTime: 60_000,
    queryFn: () => depositAddress(api, currency, network?.id ?? 0),
  });
  const hasNone = info !== undefined && !hasNetwork(info);
  useSettled(failed || hasNone || address.data !== undefined || address.isError, () => onSettled?.());
  if (failed) return <Failed retry={retry} />;
  if (hasNone) return <p className="p-4 text-t2">{t('wallet.noNetwork', { coin })}</p>;
  const refused = address.error instanceof ApiError ? address.error.message : undefined;
  return (
    <div className="flex flex-col gap-4 p-4">
      {info ? (
        <NetworkChoice label={t('wallet.network')} networks={info.type_data} value={network?.id} onChange={choose} />
      ) : (
        <Skeleton className="h-14 w-48" />
      )}
      {address.isError && !address.data ? (
        <Failed retry={() => void address.refetch()}>{refused ?? t('common.loadFailed')}</Failed>
      ) : (
        <div className="flex flex-col gap-4 md:flex-row">
          <div className="grid size-40 shrink-0 place-items-center rounded-panel bg-[#fff]">
            {address.data && (
              <Suspense fallback={null}>
                <Qr value={address.data.address} title={t('wallet.qrTitle', { coin, network: network?.type ?? '' })} />
              </Suspense>
            )}
          </div>
          <div className="flex w-full min-w-0 flex-1 flex-col gap-3">
            <div>
              <p className="text-table text-t2">
                {t('wallet.depositAddress')}{' '}
                <Num>
                  {coin} · {network?.type}
                </Num>
              </p>
              {address.data ? (
                <p className="flex flex-wrap items-center gap-2 text-body">
                  <AddressText full>{address.data.address}</AddressText>
                  <CopyButton text={address.data.address} what={t('wallet.depositAddress')} />
                </p>
              ) : (
                <Skeleton className="h-7 w-full max-w-96" />
              )}
            </div>
            {address.data && address.data.memo !== '' && (
              <div>
                <p className="text-table text-t2">{t('wallet.memo')}</p>
                <p className="flex flex-wrap items-center gap-2 text-body">
                  <AddressText full>{address.data.memo}</AddressText>
                  <CopyButton text={address.data.memo} what={t('wallet.memo')} />
                </p>
                <Note tone="warn" className="mt-1">
                  <p>{t('wallet.noteMemo')}</p>
                </Note>
              </div>
            )}
            {address.data && network && (
              <>
                <DemoCoins currency={currency} coin={coin} network={network.id} to={address.data} />
                <Note tone="warn">
                  <p>{t('wallet.noteOnly', { coin, network: network.type })}</p>
                </Note>
              </>
            )}
            <ul className="flex flex-col gap-1 text-table text-t2">
              {address.data?.note.split('\n').map((sentence, place) => (
                <li key={place}>{sentence}</li>
              ))}
            </ul>
          </div>
        </div>
      )}
    </div>
  );
}
