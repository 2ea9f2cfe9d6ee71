import { ArrowLeftRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Product } from '@bourse/contract';
import { Button, Dialog, formatBalance, grouped, Num, Select } from '@bourse/ui';
import { NumberField } from '../../../parts/number-field.js';
import { ACCOUNT_TEXT } from '../model/wallet.js';
import { COIN_SCALE } from '@bourse/formulas';
import type { TransferForm } from './use-transfer.js';

/** Coin, direction, amount; both balances beside what they belong to. */
export function TransferFields({ form }: { form: TransferForm }) {
  const { t } = useTranslation();
  const { coin, from, to } = form;
  if (!coin) return null;
  const names = (list: readonly Product[]): { value: Product; label: string }[] =>
    list.map((value) => ({ value, label: t(ACCOUNT_TEXT[value]) }));
  const balance = (account: Product) => (
    <span className="text-label text-t2">
      {t('wallet.available')} <Num>{formatBalance(coin[`${account}_balance`])}</Num>
    </span>
  );
  return (
    <>
      <Select
        label={t('common.coin')}
        value={String(coin.currency)}
        onChange={(id) => form.chooseCoin(Number(id))}
        options={form.coins.map((option) => ({ value: String(option.currency), label: option.currency_name }))}
      />
      <div className="grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] items-end gap-x-2 gap-y-1">
        <Select label={t('wallet.from')} value={from} onChange={form.setFrom} options={names(form.accounts)} />
        <Button kind="quiet" aria-label={t('wallet.swap')} onClick={form.swap}>
          <ArrowLeftRight size={16} aria-hidden />
        </Button>
        <Select
          label={t('wallet.to')}
          value={to}
          onChange={form.setTo}
          options={names(form.accounts.filter((account) => account !== from))}
        />
        {balance(from)}
        <span />
        {balance(to)}
      </div>
      <NumberField
        label={t('wallet.amount')}
        name="amount"
        scale={COIN_SCALE}
        value={form.amount}
        error={form.problem}
        onTyped={form.setAmount}
        suffix={
          <span className="flex items-center gap-2">
            <Num>{coin.currency_name}</Num>
            <Button kind="quiet" size="small" onClick={() => form.setAmount(coin[`${from}_balance`])}>
              {t('wallet.all')}
            </Button>
          </span>
        }
      />
    </>
  );
}

/** The question before a transfer, with everything in figures. */
export function TransferQuestion({ form }: { form: TransferForm }) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={form.asking && form.coin !== undefined}
      onClose={form.stopAsking}
      title={t('wallet.transferTitle')}
      closeLabel={t('common.close')}
      description={t('wallet.transferConfirm', {
        amount: `\u2066${grouped(form.sending)}\u2069`,
        coin: form.coin?.currency_name ?? '',
        from: t(ACCOUNT_TEXT[form.from]),
        to: t(ACCOUNT_TEXT[form.to]),
      })}
      actions={
        <>
          <Button disabled={form.busy} onClick={form.stopAsking}>
            {t('common.cancel')}
          </Button>
          <Button kind="primary" busy={form.busy} data-autofocus="" onClick={() => void form.send()}>
            {t('common.confirm')}
          </Button>
        </>
      }
    />
  );
}
