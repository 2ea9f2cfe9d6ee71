import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { keys } from '@bourse/api-client';
import type { BoundAddress } from '@bourse/contract';
import { Button, Dialog, Empty, Field, Num, Panel, Skeleton } from '@bourse/ui';
import { ApiError, api, queryClient } from '../../../core/api.js';
import { useSession } from '../../../core/session.js';
import { toastDone } from '../../../core/toasts.js';
import { useWallet } from '../../../core/wallet.js';
import { FormError } from '../../../forms/form-card.js';
import { useSecondsLeft } from '../../../parts/use-now.js';
import { bindAddress, boundAddresses, removeAddress, sendBindingCode } from '../api/withdrawals.js';
import { coinOfQuery, hasNetwork } from '../model/deposit.js';
import { coolingFor } from '../model/withdraw.js';
import { countdown } from '../../../parts/countdown.js';
import { AddressText } from '../../../parts/address-text.js';
import { CoinSelect } from '../../../parts/coin-select.js';
import { Failed } from '../../../parts/failed.js';
import { Note } from '../../../parts/note.js';
import { NetworkChoice } from '../../../parts/network-choice.js';
import { Time } from '../../../parts/time.js';
import { useCoin } from './use-coin.js';
import { useServerClock } from '../../../parts/use-server-clock.js';
import { useSubmission } from '../../../core/use-submission.js';

/** The code button rests this long between two codes (rules §13); the server's answer may say longer. */
const REST_SECONDS = 30;

/** The address book of withdrawals: bind an address with a code, see when it may be used, take it out. */
export default function WithdrawAddress() {
  const { t } = useTranslation();
  const { wallet, failed, retry } = useWallet();
  const [query, setQuery] = useSearchParams();
  const coins = wallet?.change_wallet.balance;
  const coin = coins && coinOfQuery(coins, query.get('id'), query.get('current'));
  return (
    <div className="flex flex-col gap-4">
      <h1 className="text-last font-semibold">{t('nav.withdrawAddress')}</h1>
      {failed ? (
        <Panel>
          <Failed retry={retry} />
        </Panel>
      ) : (
        <>
          <Panel className="flex flex-col gap-4 p-4">
            <CoinSelect
              coins={coins}
              value={coin?.currency}
              onChange={(id) => setQuery({ id: String(id) }, { replace: true })}
            />
            {coin ? (
              <BindForm key={coin.currency} currency={coin.currency} coin={coin.currency_name} />
            ) : (
              <Skeleton className="h-72 w-full" />
            )}
          </Panel>
          <Panel>
            <h2 className="border-b border-line px-4 py-3 text-title font-semibold">
              {t('wallet.boundAddresses')} {coin && <Num>{coin.currency_name}</Num>}
            </h2>
            {coin ? (
              <BoundList key={coin.currency} currency={coin.currency} />
            ) : (
              <div className="p-4">
                <Skeleton className="h-12 w-full" />
              </div>
            )}
          </Panel>
        </>
      )}
    </div>
  );
}

function BindForm({ currency, coin }: { currency: number; coin: string }) {
  const { t } = useTranslation();
  const { info, failed, retry, network, choose } = useCoin(currency);
  const [address, setAddress] = useState('');
  const [memo, setMemo] = useState('');
  const [code, setCode] = useState('');
  const [tried, setTried] = useState(false);
  const write = useSubmission();
  const needsMemo = info?.make_wallet === 2;
  if (failed) return <Failed retry={retry} />;
  if (info && !hasNetwork(info)) return <p className="text-t2">{t('wallet.noNetwork', { coin })}</p>;
  const bind = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    if (address.trim() === '' || code.trim() === '' || (needsMemo && memo.trim() === '') || !network) return;
    await write.run(async () => {
      await bindAddress(api, {
        address: address.trim(),
        coin_name: coin,
        contract_address: network.contract_address,
        memo: needsMemo ? memo.trim() : '',
        verification_code: code.trim(),
      });
      toastDone(t('wallet.boundDone'));
      setAddress('');
      setMemo('');
      setCode('');
      setTried(false);
    });
    await queryClient.invalidateQueries({ queryKey: keys.boundAddresses(currency) });
  };
  return (
    <form
      noValidate
      onSubmit={(event) => void bind(event)}
      aria-label={t('nav.withdrawAddress')}
      className="grid gap-4 md:grid-cols-2"
    >
      <div className="flex min-w-0 flex-col gap-3">
        {info ? (
          <NetworkChoice label={t('wallet.network')} networks={info.type_data} value={network?.id} onChange={choose} />
        ) : (
          <Skeleton className="h-14 w-48" />
        )}
        <Field
          label={t('wallet.address')}
          name="address"
          mono
          maxLength={200}
          value={address}
          error={tried && address.trim() === '' ? t('wallet.addressRequired') : undefined}
          onChange={(event) => setAddress(event.target.value)}
        />
        {needsMemo && (
          <Field
            label={t('wallet.memo')}
            name="memo"
            mono
            maxLength={64}
            value={memo}
            error={tried && memo.trim() === '' ? t('wallet.memoRequired') : undefined}
            onChange={(event) => setMemo(event.target.value)}
          />
        )}
        <Field
          label={t('account.code')}
          name="code"
          numeric
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={16}
          value={code}
          error={tried && code.trim() === '' ? t('set.enterCode') : undefined}
          onChange={(event) => setCode(event.target.value)}
          suffix={<SendCode />}
        />
        <FormError>{write.refusal}</FormError>
        <Button kind="primary" size="main" type="submit" busy={write.busy} disabled={!info}>
          {t('wallet.bind')}
        </Button>
      </div>
      <Note className="self-start">
        <p>{t('wallet.bindWhy')}</p>
        <p>{t('wallet.bindCooling')}</p>
      </Note>
    </form>
  );
}

/** Sends the code; rests until the next may be asked for and counts down in text. */
function SendCode() {
  const { t } = useTranslation();
  const userId = useSession((session) => session.userId);
  const [until, setUntil] = useState(0);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const left = useSecondsLeft(until);
  const rest = (seconds: number): void => setUntil(Date.now() + seconds * 1_000);
  const send = async (): Promise<void> => {
    if (userId === null) return;
    setBusy(true);
    setProblem(undefined);
    try {
      rest((await sendBindingCode(api, userId)) || REST_SECONDS);
      toastDone(t('code.sent'));
    } catch (failure) {
      if (failure instanceof ApiError && typeof failure.params['seconds'] === 'number') rest(failure.params['seconds']);
      setProblem(failure instanceof ApiError ? failure.message : t('common.loadFailed'));
    } finally {
      setBusy(false);
    }
  };
  return (
    <span className="flex items-center gap-2">
      {problem && (
        <span role="alert" className="max-w-40 truncate text-down" title={problem}>
          {problem}
        </span>
      )}
      <Button kind="quiet" size="small" busy={busy} disabled={left > 0} onClick={() => void send()}>
        {left > 0 ? t('account.resendIn', { seconds: left }) : t('account.sendCode')}
      </Button>
    </span>
  );
}

function BoundList({ currency }: { currency: number }) {
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
    <Dialog
      open
      onClose={() => {
        if (!write.busy) onClose();
      }}
      closeLabel={t('common.close')}
      title={t('wallet.removeTitle')}
      description={t('wallet.removeText')}
      actions={
        <>
          <Button data-autofocus="" disabled={write.busy} onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button kind="danger" busy={write.busy} onClick={() => void remove()}>
            {t('wallet.remove')}
          </Button>
        </>
      }
    >
      <p>
        <AddressText full>{address.address}</AddressText>
      </p>
      <FormError>{write.refusal}</FormError>
    </Dialog>
  );
}
