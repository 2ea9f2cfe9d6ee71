import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Ad } from '@bourse/contract';
import { toastDone } from '@bourse/web';
import { FormDialog } from '../../forms/form-dialog.js';
import { useIntentForm } from '../../forms/use-form.js';
import { FundPasswordField } from '../../parts/fund-password-field.js';
import { withdrawAd } from '../api/ads.js';
import { passwordProblem } from '../model/ad.js';
import { apart, coinText } from './words.js';

/** Takes one's own ad off the shelf: what is left of a `sell` ad comes back with its fee. */
export function WithdrawAd({ ad, onClose }: { ad: Ad; onClose: () => void }) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const problems = passwordProblem(password);
  const path = ad.kind === 'shop' ? '/api/legal/back_send' : '/api/c2c/back_send';
  const form = useIntentForm(problems, { id: ad.id }, async (fields, intent) => {
    toastDone(await withdrawAd(path, { ...fields, password }, intent));
    onClose();
  });
  return (
    <FormDialog
      title={t('deals.withdrawAd')}
      description={t(`deals.withdrawText.${ad.type}`, { left: apart(coinText(ad.surplus_number, ad.currency_name)) })}
      submission={form}
      action={t('deals.withdrawAd')}
      kind="danger"
      onClose={onClose}
    >
      <FundPasswordField value={password} onChange={setPassword} error={form.shown(problems.password)} />
    </FormDialog>
  );
}
