import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Shop } from '@bourse/contract';
import { toastDone } from '@bourse/web';
import { passwordProblem } from '../../../deals/model/ad.js';
import { FormDialog } from '../../../forms/form-dialog.js';
import { useIntentForm } from '../../../forms/use-form.js';
import { FundPasswordField } from '../../../parts/fund-password-field.js';
import { closeShop } from '../api/shops.js';

/** Closes a shop: its deposit and the merchant balance go back to the fiat account. */
export function CloseDialog({ shop, onClose }: { shop: Shop; onClose: () => void }) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const problems = passwordProblem(password);
  const form = useIntentForm(problems, { shop_id: shop.id }, async (fields, intent) => {
    toastDone(await closeShop({ ...fields, password }, intent));
    onClose();
  });
  return (
    <FormDialog
      title={t('shops.close')}
      description={t('shops.closeText', { name: `\u2068${shop.name}\u2069` })}
      submission={form}
      action={t('shops.close')}
      onClose={onClose}
    >
      <FundPasswordField value={password} onChange={setPassword} error={form.shown(problems.password)} />
    </FormDialog>
  );
}
