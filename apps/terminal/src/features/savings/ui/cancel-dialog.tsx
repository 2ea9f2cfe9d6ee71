import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SavingsOrder } from '@bourse/contract';
import { DescriptionList, Num } from '@bourse/ui';
import { toastDone } from '@bourse/web';
import { FormDialog } from '../../../forms/form-dialog.js';
import { useIntentForm } from '../../../forms/use-form.js';
import { FundPasswordField } from '../../../parts/fund-password-field.js';
import { Note } from '../../../parts/note.js';
import { cancelOrder } from '../api/savings.js';
import { cancelOf } from '../model/savings.js';
import { money } from './money.js';

/** Ends an order before its time, after it was said what that costs. */
export function CancelDialog({ order, onClose }: { order: SavingsOrder; onClose: () => void }) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const problems = /^[A-Za-z0-9]{6}$/.test(password) ? {} : { password: 'fund.format' };
  const form = useIntentForm(problems, { id: order.id }, async (fields, intent) => {
    toastDone(await cancelOrder({ ...fields, password }, intent));
    onClose();
  });
  const coin = order.currency_name;
  const { cancelFee, cancelLeaves } = cancelOf(order.amount, order.cancel_rate);
  return (
    <FormDialog
      title={t('savings.cancel')}
      submission={form}
      action={t('savings.cancel')}
      kind="danger"
      onClose={onClose}
    >
      <Note tone="warn">
        <p>{t('savings.cancelText')}</p>
      </Note>
      <DescriptionList
        facts={[
          { id: 'lost', name: t('savings.lost'), value: <Num>{money(order.accrued, coin)}</Num> },
          { id: 'missed', name: t('savings.profit'), value: <Num>{money(order.profit, coin)}</Num> },
          { id: 'fee', name: t('savings.cancelFee'), value: <Num>{money(cancelFee, coin)}</Num> },
          { id: 'back', name: t('savings.back'), value: <Num>{money(cancelLeaves, coin)}</Num> },
        ]}
      />
      <FundPasswordField value={password} onChange={setPassword} error={form.shown(problems.password)} />
    </FormDialog>
  );
}
