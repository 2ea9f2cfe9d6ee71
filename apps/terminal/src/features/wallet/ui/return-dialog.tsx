import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { keys } from '@bourse/api-client';
import type { Deposit } from '@bourse/contract';
import { Field, formatBalance } from '@bourse/ui';
import { api, queryClient } from '../../../core/api.js';
import { toastDone, useSubmission } from '@bourse/web';
import { SubmissionDialog } from '../../../forms/submission-dialog.js';
import { returnDeposit } from '../api/deposits.js';
import { FundPasswordField } from '../../../parts/fund-password-field.js';

/** Sends a held deposit back to an address of the person's choice. */
export function ReturnDialog({ deposit, onClose }: { deposit: Deposit; onClose: () => void }) {
  const { t } = useTranslation();
  const [address, setAddress] = useState('');
  const [password, setPassword] = useState('');
  const [tried, setTried] = useState(false);
  const write = useSubmission();
  const send = async (): Promise<void> => {
    setTried(true);
    if (address.trim() === '' || password.length !== 6) return;
    const fields = { id: deposit.id, address: address.trim() };
    await write.run(async (intent) => {
      toastDone(await returnDeposit(api, { ...fields, password }, intent));
      await queryClient.invalidateQueries({ queryKey: keys.wallet });
      onClose();
    }, fields);
  };
  return (
    <SubmissionDialog
      title={t('wallet.returnDeposit')}
      description={t('wallet.returnText', {
        amount: `\u2066${formatBalance(deposit.amount)}\u2069`,
        coin: deposit.currency_name,
      })}
      submission={write}
      action={t('wallet.returnDeposit')}
      kind="primary"
      onSend={() => void send()}
      onClose={onClose}
    >
      <Field
        label={t('wallet.returnAddress')}
        mono
        value={address}
        maxLength={200}
        error={tried && address.trim() === '' ? t('wallet.addressRequired') : undefined}
        onChange={(event) => setAddress(event.target.value)}
      />
      <FundPasswordField
        value={password}
        onChange={setPassword}
        error={tried && password.length !== 6 ? t('fund.format') : undefined}
      />
    </SubmissionDialog>
  );
}
