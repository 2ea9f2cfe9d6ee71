import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { InsuranceType } from '@bourse/contract';
import { atMost, Checkbox, DescriptionList, formatBalance, grouped, Num } from '@bourse/ui';
import { toastDone } from '@bourse/web';
import { useWallet } from '../../../core/wallet.js';
import { FormDialog } from '../../../forms/form-dialog.js';
import { useIntentForm } from '../../../forms/use-form.js';
import { FundPasswordField } from '../../../parts/fund-password-field.js';
import { Note } from '../../../parts/note.js';
import { NumberField } from '../../../parts/number-field.js';
import { buyPolicy } from '../api/insurance.js';
import { buyProblems, policyFigures } from '../model/insurance.js';

/** Buys a policy: amount, what it costs, the fund password, and that it cannot be undone. */
export function BuyDialog({ type, onClose }: { type: InsuranceType; onClose: () => void }) {
  const { t } = useTranslation();
  const { wallet } = useWallet();
  const [amount, setAmount] = useState('');
  const [password, setPassword] = useState('');
  const [understood, setUnderstood] = useState(false);
  const coin = type.currency_name;
  const available = wallet?.micro_wallet.balance.find(({ currency }) => currency === type.currency_id)?.micro_balance;
  const problems = {
    ...buyProblems({ amount, password }, type, available),
    ...(understood ? {} : { understood: 'insurance.mustUnderstand' }),
  };
  const form = useIntentForm(problems, { type_id: type.id, amount }, async (fields, intent) => {
    toastDone(await buyPolicy({ ...fields, password }, intent));
    onClose();
  });
  const money = (text: string): string => `${grouped(atMost(text, 8))} ${coin}`;
  const range = { min: money(type.min_amount), max: money(type.max_amount) };
  const figures = /^[1-9]\d*$/.test(amount) ? policyFigures(amount, type) : undefined;
  const problem = (key: string | undefined): string | undefined =>
    form.shown(key) && key ? t(key, key === 'insurance.range' ? range : {}) : undefined;
  return (
    <FormDialog
      title={`${t('insurance.buy')}: ${type.name}`}
      submission={form}
      action={t('insurance.buy')}
      onClose={onClose}
    >
      <NumberField
        label={t('insurance.amount')}
        scale={0}
        value={amount}
        onTyped={setAmount}
        error={problem(problems.amount)}
        suffix={coin}
        hint={t('micro.minMax', range)}
      />
      <DescriptionList
        facts={[
          {
            id: 'available',
            name: t('ticket.available'),
            value: available === undefined ? undefined : <Num>{`${formatBalance(available)} ${coin}`}</Num>,
          },
          { id: 'premium', name: t('insurance.premium'), value: <Num>{figures ? money(figures.premium) : '–'}</Num> },
          { id: 'total', name: t('insurance.total'), value: <Num>{figures ? money(figures.total) : '–'}</Num> },
          { id: 'stake', name: t('insurance.maxStake'), value: <Num>{figures ? money(figures.stake) : '–'}</Num> },
        ]}
      />
      <Note tone="warn">
        <p>{t('insurance.irrevocable')}</p>
      </Note>
      <Checkbox
        label={t('insurance.understood')}
        checked={understood}
        aria-invalid={form.shown(problems.understood) !== undefined || undefined}
        onChange={(event) => setUnderstood(event.target.checked)}
      />
      {form.shown(problems.understood) && (
        <p role="alert" className="text-table text-down">
          {form.shown(problems.understood)}
        </p>
      )}
      <FundPasswordField value={password} onChange={setPassword} error={problem(problems.password)} />
    </FormDialog>
  );
}
