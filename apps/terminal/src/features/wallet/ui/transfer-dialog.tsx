import { ArrowLeftRight } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { keys, newIntent } from '@bourse/api-client';
import type { CoinBalance, Product } from '@bourse/contract';
import { Button, Dialog, Field, formatBalance, Num, Select } from '@bourse/ui';
import { ApiError, api, queryClient } from '../../../core/api.js';
import { toastDone } from '../../../core/toasts.js';
import { transfer } from '../api/wallet.js';
import { ACCOUNT_TEXT, accountsOf, amountInput, amountToSend } from '../model/wallet.js';

/** All coins count in eight decimals. */
const SCALE = 8;

/** Moves a coin between two of its accounts: fields, then a question with everything in figures, then one call. */
export function TransferDialog({ coins, currency, from: start, onClose }: { coins: readonly CoinBalance[]; currency: number; from: Product; onClose: () => void }) {
  const { t } = useTranslation();
  const movable = coins.filter((coin) => accountsOf(coin).length > 1);
  const [coinId, setCoinId] = useState(() => (movable.find((coin) => coin.currency === currency) ?? movable.find((coin) => coin.currency_name === 'USDT') ?? movable[0])?.currency ?? 0);
  const coin = movable.find((candidate) => candidate.currency === coinId);
  const accounts = coin ? accountsOf(coin) : [];
  const [from, setFrom] = useState<Product>(start);
  const [to, setTo] = useState<Product>(start === 'change' ? 'legal' : 'change');
  const source = accounts.includes(from) ? from : (accounts[0] ?? 'change');
  const target = accounts.includes(to) && to !== source ? to : (accounts.find((account) => account !== source) ?? 'legal');
  const [amount, setAmount] = useState('');
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const intent = useRef(newIntent());
  if (!coin) return null;
  const balance = coin[`${source}_balance`];
  const sending = amountToSend(amount);

  const ask = (): void => {
    if (sending === '') return setProblem(t('transfer.amountRequired'));
    setProblem(undefined);
    setAsking(true);
  };
  const send = async (): Promise<void> => {
    setBusy(true);
    try {
      const { message } = await transfer(api, { currency: coin.currency, from: source, to: target, amount: sending }, intent.current);
      toastDone(String(message));
      await queryClient.invalidateQueries({ queryKey: keys.wallet });
      onClose();
    } catch (failure) {
      setAsking(false);
      setBusy(false);
      // A refusal ends the intent; an unanswered call keeps it, so that the next press cannot move it twice.
      if (failure instanceof ApiError) intent.current = newIntent();
      setProblem(failure instanceof ApiError ? failure.message : t('common.loadFailed'));
    }
  };
  const names = (list: readonly Product[]): { value: Product; label: string }[] => list.map((value) => ({ value, label: t(ACCOUNT_TEXT[value]) }));

  if (asking) {
    return (
      <Dialog open onClose={() => { if (!busy) setAsking(false); }} title={t('wallet.transferTitle')} closeLabel={t('common.close')}
        description={t('wallet.transferConfirm', { amount: `\u2066${sending}\u2069`, coin: coin.currency_name, from: t(ACCOUNT_TEXT[source]), to: t(ACCOUNT_TEXT[target]) })}
        actions={<><Button disabled={busy} onClick={() => setAsking(false)}>{t('common.cancel')}</Button><Button kind="primary" busy={busy} data-autofocus="" onClick={() => void send()}>{t('common.confirm')}</Button></>} />
    );
  }
  return (
    <Dialog open onClose={onClose} title={t('wallet.transferTitle')} closeLabel={t('common.close')} actions={<><Button onClick={onClose}>{t('common.cancel')}</Button><Button kind="primary" onClick={ask}>{t('wallet.transferButton')}</Button></>}>
      <Select label={t('wallet.coin')} value={String(coinId)} onChange={(id) => setCoinId(Number(id))} options={movable.map((option) => ({ value: String(option.currency), label: option.currency_name }))} />
      <div className="flex items-end gap-2">
        <Select className="flex-1" label={t('wallet.from')} value={source} onChange={(next) => { if (next === target) setTo(source); setFrom(next); }} options={names(accounts)} />
        <Button kind="quiet" aria-label={t('wallet.swap')} onClick={() => { setFrom(target); setTo(source); }}><ArrowLeftRight size={16} aria-hidden /></Button>
        <Select className="flex-1" label={t('wallet.to')} value={target} onChange={setTo} options={names(accounts.filter((account) => account !== source))} />
      </div>
      <Field label={t('wallet.amount')} numeric value={amount} error={problem} onChange={(event) => { const next = amountInput(event.target.value, SCALE); if (next !== null) setAmount(next); }}
        hint={<>{t('wallet.available')} <Num>{formatBalance(balance)}</Num> {coin.currency_name}</>} suffix={<Button kind="quiet" size="small" onClick={() => setAmount(balance)}>{t('wallet.all')}</Button>} />
    </Dialog>
  );
}
