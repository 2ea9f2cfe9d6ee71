import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { keys } from '@bourse/api-client';
import { COIN_SCALE } from '@bourse/formulas';
import type { BoundAddress } from '@bourse/contract';
import { atMost, Button, Dialog, Field, formatBalance, grouped, Num, Select, shortAddress, Skeleton } from '@bourse/ui';
import { api, queryClient } from '../../../core/api.js';
import { useSession } from '../../../core/session.js';
import { toastDone } from '../../../core/toasts.js';
import { FormError } from '../../../forms/form-card.js';
import { boundAddresses, withdraw } from '../api/withdrawals.js';
import { hasNetwork } from '../model/deposit.js';
import { addressesFor, coolingFor, costOf, withdrawProblems, type WithdrawFields } from '../model/withdraw.js';
import { countdown } from '../../../parts/countdown.js';
import { AddressText } from '../../../parts/address-text.js';
import { Failed } from '../../../parts/failed.js';
import { Figure } from '../../../parts/figure.js';
import { NumberField } from '../../../parts/number-field.js';
import { Note } from '../../../parts/note.js';
import { FundPasswordField } from '../../../parts/fund-password-field.js';
import { NetworkChoice } from '../../../parts/network-choice.js';
import { useCoin } from './use-coin.js';
import { useServerClock } from '../../../parts/use-server-clock.js';
import { useSubmission } from '../../../core/use-submission.js';

const EMPTY: WithdrawFields = { address: '', amount: '', memo: '', password: '', totp: '' };
/** The lists are read again once more after this long: a small withdrawal has then left the review (rules §16). */
const AGAIN_MS = 1_500;

/** Sends a coin away: network, address, amount with its fee, passwords, then a question with everything in figures. */
export function WithdrawPanel({ currency, coin, available }: { currency: number; coin: string; available: string }) {
  const { t } = useTranslation();
  const user = useSession((session) => session.info);
  const { info, failed, retry, network, choose } = useCoin(currency);
  const bound = useQuery({ queryKey: keys.boundAddresses(currency), queryFn: () => boundAddresses(api, currency) });
  const [fields, setFields] = useState(EMPTY);
  const [picked, setPicked] = useState('');
  const [tried, setTried] = useState(false);
  const [asking, setAsking] = useState(false);
  const write = useSubmission();
  const usable = addressesFor(bound.data ?? [], network);
  const onlyBound = (bound.data?.length ?? 0) > 0;
  const chosen: BoundAddress | undefined = usable.find(({ id }) => String(id) === picked) ?? usable[0];
  const now = useServerClock(onlyBound);
  if (failed) return <Failed retry={retry} />;
  if (info && !hasNetwork(info)) return <p className="p-4 text-t2">{t('wallet.noNetwork', { coin })}</p>;
  if (user && (user.has_fund_password === 0 || user.review_status !== 2))
    return <Needs fundPassword={user.has_fund_password === 0} identity={user.review_status !== 2} />;

  const sent: WithdrawFields = onlyBound
    ? { ...fields, address: chosen?.address ?? '', memo: chosen?.memo || fields.memo }
    : fields;
  const cooling = onlyBound && chosen ? coolingFor(chosen, now) : 0;
  const needsMemo = info?.make_wallet === 2;
  const problems = withdrawProblems(sent, { network, memo: needsMemo, totp: user?.totp === 1, available });
  if (onlyBound && !chosen) problems.address = 'wallet.noBoundHere';
  const cost = network && costOf(fields.amount, network.rate);
  const minimum = network && `\u2066${grouped(atMost(network.min_number, 8))}\u2069`;
  const shown = (key: string | undefined): string | undefined =>
    tried && key ? t(key, { min: `${minimum ?? ''} ${coin}` }) : undefined;
  const set = (change: Partial<WithdrawFields>): void => setFields((was) => ({ ...was, ...change }));
  const ask = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(problems).length > 0 || cooling > 0 || !cost || !network) return;
    // The question shows the fee that is in force now.
    retry();
    setAsking(true);
  };
  const send = async (): Promise<void> => {
    if (!cost || !network) return;
    const done = await write.run(async (intent) => {
      const answer = await withdraw(
        api,
        {
          currency,
          type: network.id,
          address: sent.address.trim(),
          number: cost.number,
          rate: network.rate,
          pay_password: fields.password,
          memo: needsMemo ? sent.memo.trim() : undefined,
          totp_code: fields.totp.trim(),
        },
        intent,
      );
      toastDone(answer.message);
    });
    setAsking(false);
    if (!done) return;
    setFields(EMPTY);
    setTried(false);
    const reload = (): void => void queryClient.invalidateQueries({ queryKey: keys.wallet });
    reload();
    setTimeout(reload, AGAIN_MS);
  };

  return (
    <form
      noValidate
      onSubmit={ask}
      aria-label={t('wallet.withdrawTitle', { coin })}
      className="grid gap-4 p-4 md:grid-cols-2"
    >
      <div className="flex min-w-0 flex-col gap-3">
        {info ? (
          <NetworkChoice label={t('wallet.network')} networks={info.type_data} value={network?.id} onChange={choose} />
        ) : (
          <Skeleton className="h-14 w-48" />
        )}
        {onlyBound ? (
          <div className="flex flex-col gap-1">
            {usable.length > 0 && (
              <Select
                label={t('wallet.boundAddresses')}
                value={String(chosen?.id ?? '')}
                onChange={setPicked}
                options={usable.map((address) => ({
                  value: String(address.id),
                  label: `${shortAddress(address.address)}${address.memo ? ` · ${address.memo}` : ''}${coolingFor(address, now) > 0 ? ` · ${t('wallet.coolingShort')}` : ''}`,
                }))}
              />
            )}
            {chosen && (
              <p className="text-table text-t2">
                <AddressText full>{chosen.address}</AddressText>
              </p>
            )}
            {chosen && cooling > 0 && (
              <p className="text-table text-warn">{t('wallet.cooling', { left: countdown(cooling) })}</p>
            )}
            {usable.length === 0 && (
              <p className={tried ? 'text-table text-down' : 'text-table text-t2'} role={tried ? 'alert' : undefined}>
                {t('wallet.noBoundHere')}
              </p>
            )}
          </div>
        ) : (
          <Field
            label={t('wallet.address')}
            name="address"
            mono
            maxLength={200}
            value={fields.address}
            error={shown(problems.address)}
            onChange={(event) => set({ address: event.target.value })}
          />
        )}
        <p className="text-table text-t2">
          {t(onlyBound ? 'wallet.onlyBound' : 'wallet.bindHint')}{' '}
          <Link className="underline hover:text-t1" to={`/withdraw_address?id=${currency}`}>
            {t('wallet.addressBook')}
          </Link>
        </p>
        {needsMemo && (
          <Field
            label={t('wallet.memo')}
            name="memo"
            mono
            maxLength={64}
            value={sent.memo}
            readOnly={onlyBound && (chosen?.memo ?? '') !== ''}
            error={shown(problems.memo)}
            onChange={(event) => set({ memo: event.target.value })}
          />
        )}
        <NumberField
          label={t('wallet.quantity')}
          name="number"
          scale={COIN_SCALE}
          value={fields.amount}
          error={shown(problems.amount)}
          onTyped={(amount) => set({ amount })}
          hint={
            <>
              {t('wallet.available')}{' '}
              <Num>
                {formatBalance(available)} {coin}
              </Num>
            </>
          }
          suffix={
            <Button kind="quiet" size="small" onClick={() => set({ amount: atMost(available, COIN_SCALE) })}>
              {t('wallet.all')}
            </Button>
          }
        />
        <FundPasswordField
          value={fields.password}
          onChange={(password) => set({ password })}
          error={shown(problems.password)}
        />
        {user?.totp === 1 && (
          <Field
            label={t('wallet.totp')}
            name="totp_code"
            numeric
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
            value={fields.totp}
            error={shown(problems.totp)}
            onChange={(event) => set({ totp: event.target.value })}
          />
        )}
      </div>
      <div className="flex min-w-0 flex-col justify-between gap-3">
        <dl className="flex flex-col gap-2">
          <Figure name={t('wallet.minimum')}>
            {network ? (
              <Num>
                {grouped(atMost(network.min_number, 8))} {coin}
              </Num>
            ) : (
              <Skeleton className="h-5 w-20" />
            )}
          </Figure>
          <Figure
            name={
              <>
                {t('wallet.fee')} {network && <Num>({atMost(network.rate, 4)} %)</Num>}
              </>
            }
          >
            <Num>
              {formatBalance(cost?.fee ?? '0')} {coin}
            </Num>
          </Figure>
          <Figure name={t('wallet.received')}>
            <Num className="text-title font-semibold">
              {formatBalance(cost?.received ?? '0')} {coin}
            </Num>
          </Figure>
        </dl>
        <Note tone="warn">
          <p>{t('wallet.noteWithdraw', { coin, network: network?.type ?? '' })}</p>
          <p>{t('wallet.noteReview')}</p>
        </Note>
        <FormError>{write.refusal}</FormError>
        <div className="flex flex-wrap items-center justify-end gap-3">
          <Link className="text-table text-t2 underline hover:text-t1" to="/account/coinRecord?tab=withdrawals">
            {t('wallet.withdrawals')}
          </Link>
          <Button kind="primary" size="main" type="submit" busy={write.busy} disabled={!info}>
            {t('wallet.withdraw')}
          </Button>
        </div>
      </div>
      {asking && cost && (
        <Dialog
          open
          onClose={() => {
            if (!write.busy) setAsking(false);
          }}
          closeLabel={t('common.close')}
          title={t('wallet.withdrawConfirm')}
          actions={
            <>
              <Button disabled={write.busy} onClick={() => setAsking(false)}>
                {t('common.cancel')}
              </Button>
              <Button kind="primary" data-autofocus="" busy={write.busy} onClick={() => void send()}>
                {t('common.confirm')}
              </Button>
            </>
          }
        >
          <dl className="flex flex-col gap-2">
            <Figure name={t('wallet.network')}>
              <Num>{network?.type}</Num>
            </Figure>
            <Figure name={t('wallet.address')}>
              <AddressText full>{sent.address.trim()}</AddressText>
            </Figure>
            {needsMemo && (
              <Figure name={t('wallet.memo')}>
                <AddressText full>{sent.memo.trim()}</AddressText>
              </Figure>
            )}
            <Figure name={t('wallet.quantity')}>
              <Num>
                {formatBalance(cost.number)} {coin}
              </Num>
            </Figure>
            <Figure name={t('wallet.fee')}>
              <Num>
                {formatBalance(cost.fee)} {coin}
              </Num>
            </Figure>
            <Figure name={t('wallet.received')}>
              <Num className="font-semibold">
                {formatBalance(cost.received)} {coin}
              </Num>
            </Figure>
          </dl>
        </Dialog>
      )}
    </form>
  );
}

/** What a person has to do before money may leave. */
function Needs({ fundPassword, identity }: { fundPassword: boolean; identity: boolean }) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col items-start gap-3 p-4">
      <p className="text-t2">{t('wallet.needsFirst')}</p>
      <ul className="flex flex-wrap gap-3">
        {fundPassword && (
          <li>
            <Link
              to="/bindmpwd"
              className="inline-flex h-10 items-center rounded-panel border border-line-strong px-4 text-button hover:bg-bg3"
            >
              {t('wallet.needsFund')}
            </Link>
          </li>
        )}
        {identity && (
          <li>
            <Link
              to="/authentication"
              className="inline-flex h-10 items-center rounded-panel border border-line-strong px-4 text-button hover:bg-bg3"
            >
              {t('wallet.needsIdentity')}
            </Link>
          </li>
        )}
      </ul>
    </div>
  );
}
