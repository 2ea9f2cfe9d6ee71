import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { keys } from '@bourse/api-client';
import { Button, Field, OneTimeCodeField, Skeleton } from '@bourse/ui';
import { ApiError, api, queryClient } from '../../../core/api.js';
import { useSession } from '../../../core/session.js';
import { toastDone, useSubmission } from '@bourse/web';
import { FormError } from '../../../forms/form-card.js';
import { useSecondsLeft } from '../../../parts/use-now.js';
import { bindAddress, sendBindingCode } from '../api/withdrawals.js';
import { hasNetwork } from '../model/deposit.js';
import { Failed } from '../../../parts/failed.js';
import { Note } from '../../../parts/note.js';
import { NetworkChoice } from '../../../parts/network-choice.js';
import { useCoin } from './use-coin.js';

/** The code button rests this long between two codes (rules §13); the server's answer may say longer. */
const REST_SECONDS = 30;

export function BindForm({ currency, coin }: { currency: number; coin: string }) {
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
        <OneTimeCodeField
          label={t('account.code')}
          name="code"
          length={16}
          value={code}
          error={tried && code.trim() === '' ? t('set.enterCode') : undefined}
          onCode={setCode}
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
