import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AcceptorInfo } from '@bourse/contract';
import { COIN_SCALE } from '@bourse/formulas';
import { compareDecimals } from '@bourse/money';
import { Field } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { toDecimalText } from '../../../core/ticket/typing.js';
import { toastDone } from '@bourse/web';
import { FormDialog } from '../../../forms/form-dialog.js';
import { useIntentForm } from '../../../forms/use-form.js';
import { FundPasswordField } from '../../../parts/fund-password-field.js';
import { NumberField } from '../../../parts/number-field.js';
import { moveFund, readAgain, savePayment, saveRates } from '../api/acceptors.js';
import { FACT_NAMES, moneyToSend, RATE_MAX, type FactName } from '../model/acceptors.js';
import { coinText, inLine } from '../model/figures.js';
import { FACT_TEXT } from './words.js';

interface Props {
  info: AcceptorInfo;
  onClose: () => void;
}
const kept = (problem: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(problem).filter(([, key]) => key !== undefined));

/** Changes the own account under the fund password: sends, shows a toast, closes the dialog and reloads. */
function useChange<F extends object>(
  problem: Readonly<Record<string, string | undefined>>,
  fields: F,
  send: (fields: F & { password: string }, intent: string) => Promise<string>,
  onClose: () => void,
) {
  const [password, setPassword] = useState('');
  const passwordProblem = password.length === 6 ? undefined : 'fund.format';
  const form = useIntentForm(kept({ ...problem, password: passwordProblem }), fields, async (sent, intent) => {
    toastDone(await send({ ...sent, password }, intent));
    onClose();
    await readAgain();
  });
  const passwordField = (
    <FundPasswordField value={password} onChange={setPassword} error={form.shown(passwordProblem)} />
  );
  return { form, passwordField };
}

/** The acceptor's rate for each direction, 0 to 20 percent. */
export function RatesDialog({ info, onClose }: Props) {
  const { t } = useTranslation();
  const [rates, setRates] = useState({ recharge_rate: info.recharge_rate, cash_rate: info.cash_rate });
  const wrong = (text: string): string | undefined =>
    toDecimalText(text) === '' || compareDecimals(toDecimalText(text), RATE_MAX) > 0 ? 'acc.rateRange' : undefined;
  const problem = { recharge: wrong(rates.recharge_rate), cash: wrong(rates.cash_rate) };
  const { form, passwordField } = useChange(
    problem,
    { recharge_rate: toDecimalText(rates.recharge_rate), cash_rate: toDecimalText(rates.cash_rate) },
    (fields, intent) => saveRates(api, fields, intent),
    onClose,
  );
  return (
    <FormDialog title={t('acc.rates')} submission={form} action={t('security.save')} onClose={onClose}>
      <NumberField
        label={t('wallet.causes.deposit')}
        name="recharge_rate"
        suffix="%"
        scale={4}
        value={rates.recharge_rate}
        error={form.shown(problem.recharge)}
        onTyped={(text) => setRates({ ...rates, recharge_rate: text })}
      />
      <NumberField
        label={t('wallet.causes.withdrawal')}
        name="cash_rate"
        suffix="%"
        scale={4}
        value={rates.cash_rate}
        error={form.shown(problem.cash)}
        onTyped={(text) => setRates({ ...rates, cash_rate: text })}
      />
      {passwordField}
    </FormDialog>
  );
}

/** The account that customers pay to: seven fields. */
export function PaymentDialog({ info, onClose }: Props) {
  const { t } = useTranslation();
  const [facts, setFacts] = useState(
    () => Object.fromEntries(FACT_NAMES.map((name) => [name, info[name]])) as Record<FactName, string>,
  );
  const { form, passwordField } = useChange({}, facts, (fields, intent) => savePayment(api, fields, intent), onClose);
  return (
    <FormDialog title={t('acc.payment')} submission={form} action={t('security.save')} onClose={onClose}>
      {FACT_NAMES.map((name) => (
        <Field
          key={name}
          name={name}
          label={t(FACT_TEXT[name])}
          maxLength={64}
          autoComplete="off"
          value={facts[name]}
          onChange={(event) => setFacts({ ...facts, [name]: event.target.value })}
        />
      ))}
      {passwordField}
    </FormDialog>
  );
}

/** Coins posted for customers, or taken back from what is free. */
export function FundDialog({ info, direction, onClose }: Props & { direction: 'in' | 'out' }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const number = moneyToSend(typed);
  const most = direction === 'in' ? info.user_balance : info.recharge_amount;
  const problem = number === '' ? 'acc.moneyRequired' : compareDecimals(number, most) > 0 ? 'acc.balance' : undefined;
  const { form, passwordField } = useChange(
    { number: problem },
    { direction, number },
    (fields, intent) => moveFund(api, fields, intent),
    onClose,
  );
  const max = inLine(coinText(most));
  const name = t(direction === 'in' ? 'acc.fundIn' : 'acc.fundOut');
  return (
    <FormDialog title={name} submission={form} action={name} onClose={onClose}>
      <NumberField
        label={`${t('wallet.amount')} (USDT)`}
        name="number"
        scale={COIN_SCALE}
        value={typed}
        hint={t('acc.atMost', { max })}
        error={form.shown(problem) && t(problem ?? '', { max })}
        onTyped={setTyped}
      />
      {passwordField}
    </FormDialog>
  );
}
