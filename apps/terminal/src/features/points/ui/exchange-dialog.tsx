import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { grouped } from '@bourse/ui';
import { toastDone } from '@bourse/web';
import { FormDialog } from '../../../forms/form-dialog.js';
import { useIntentForm } from '../../../forms/use-form.js';
import { FundPasswordField } from '../../../parts/fund-password-field.js';
import { exchange, readAgain, type PointsAccess } from '../api/points.js';

/** From the answer until the page starts over with fresh figures (rules §16). */
const RELOAD_DELAY_MS = 1_500;

/** The question before points become coins; in the terminal it asks for the fund password. */
export function ExchangeDialog({
  access,
  onDone,
  onClose,
  ...asked
}: {
  access: PointsAccess;
  amount: string;
  coins: string;
  onDone: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  // The form behind the question is emptied before it closes.
  const [{ amount, coins }] = useState(asked);
  const [password, setPassword] = useState('');
  const withPassword = access.session === 'terminal';
  const problems = !withPassword || /^[A-Za-z0-9]{6}$/.test(password) ? {} : { password: 'fund.format' };
  const form = useIntentForm(problems, { use_number: amount }, async (fields, intent) => {
    const { message } = await exchange(access, { ...fields, ...(withPassword ? { password } : {}) }, intent);
    toastDone(message);
    onDone();
    setTimeout(() => {
      readAgain(access);
      onClose();
    }, RELOAD_DELAY_MS);
  });
  return (
    <FormDialog
      title={t('points.exchange')}
      description={t('points.ask', { amount: `\u2066${grouped(amount)}\u2069`, coins: `\u2066${coins}\u2069` })}
      submission={form}
      action={t('points.exchange')}
      onClose={onClose}
    >
      {withPassword && (
        <FundPasswordField value={password} onChange={setPassword} error={form.shown(problems.password)} />
      )}
    </FormDialog>
  );
}
