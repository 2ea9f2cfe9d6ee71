import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { keys } from '@bourse/api-client';
import type { CoinBalance, Product } from '@bourse/contract';
import { api, queryClient } from '../../../core/api.js';
import { toastDone, useSubmission } from '@bourse/web';
import { transfer } from '../api/wallet.js';
import { accountsOf, amountToSend, transferProblem } from '../model/wallet.js';

export interface TransferForm {
  readonly coins: readonly CoinBalance[];
  readonly coin: CoinBalance | undefined;
  readonly chooseCoin: (id: number) => void;
  readonly accounts: readonly Product[];
  readonly from: Product;
  readonly to: Product;
  readonly setFrom: (account: Product) => void;
  readonly setTo: (account: Product) => void;
  readonly swap: () => void;
  readonly amount: string;
  readonly setAmount: (text: string) => void;
  readonly sending: string;
  readonly problem: string | undefined;
  readonly asking: boolean;
  readonly ask: () => void;
  readonly stopAsking: () => void;
  readonly busy: boolean;
  readonly send: () => Promise<void>;
}

/** A transfer between two accounts of one coin: fields, then a question with everything in figures, then one call. */
export function useTransfer(
  all: readonly CoinBalance[],
  start: { currency?: number; from: Product; to?: Product },
  onDone: () => void,
): TransferForm {
  const { t } = useTranslation();
  const coins = all.filter(
    (coin) =>
      accountsOf(coin).length > 1 &&
      (start.to === undefined || (accountsOf(coin).includes(start.from) && accountsOf(coin).includes(start.to))),
  );
  const [coinId, setCoinId] = useState(start.currency ?? 0);
  const coin =
    coins.find(({ currency }) => currency === coinId) ??
    coins.find(({ currency_name: name }) => name === 'USDT') ??
    coins[0];
  const accounts = coin ? accountsOf(coin) : [];
  const [wishedFrom, setFrom] = useState<Product>(start.from);
  const [wishedTo, setTo] = useState<Product>(start.to ?? (start.from === 'change' ? 'legal' : 'change'));
  const from = accounts.includes(wishedFrom) ? wishedFrom : (accounts[0] ?? 'change');
  const to =
    accounts.includes(wishedTo) && wishedTo !== from
      ? wishedTo
      : (accounts.find((account) => account !== from) ?? 'legal');
  const [amount, setAmount] = useState('');
  const [asking, setAsking] = useState(false);
  const [missing, setMissing] = useState<string>();
  const write = useSubmission();
  const sending = amountToSend(amount);
  /** Runs a change of the form, after which the last refusal is no longer true. */
  const changing =
    <A extends readonly unknown[]>(change: (...args: A) => void) =>
    (...args: A): void => {
      change(...args);
      setMissing(undefined);
      write.clear();
    };
  return {
    coins,
    coin,
    accounts,
    from,
    to,
    amount,
    sending,
    asking,
    busy: write.busy,
    problem: missing ?? write.refusal,
    chooseCoin: changing(setCoinId),
    setTo: changing(setTo),
    setFrom: changing((next: Product) => {
      if (next === to) setTo(from);
      setFrom(next);
    }),
    swap: changing(() => {
      setFrom(to);
      setTo(from);
    }),
    setAmount: changing(setAmount),
    ask: () => {
      const problem = transferProblem(sending, coin?.[`${from}_balance`]);
      setMissing(problem && t(problem));
      setAsking(problem === undefined);
    },
    stopAsking: () => {
      if (!write.busy) setAsking(false);
    },
    send: async () => {
      if (!coin) return;
      const fields = { currency: coin.currency, from, to, amount: sending };
      const done = await write.run(async (intent) => {
        const { message } = await transfer(api, fields, intent);
        toastDone(String(message));
      }, fields);
      setAsking(false);
      if (!done) return;
      setAmount('');
      void queryClient.invalidateQueries({ queryKey: keys.wallet });
      onDone();
    },
  };
}
