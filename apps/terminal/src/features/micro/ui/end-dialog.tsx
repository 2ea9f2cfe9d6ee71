import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Insurance } from '@bourse/contract';
import { atMost, grouped } from '@bourse/ui';
import { toastAnswer } from '../../../core/notifications/store.js';
import { toastDone, useSubmission } from '@bourse/web';
import { FormDialog } from '../../../forms/form-dialog.js';
import { SubmissionDialog } from '../../../forms/submission-dialog.js';
import { useIntentForm } from '../../../forms/use-form.js';
import { FundPasswordField } from '../../../parts/fund-password-field.js';
import { cancelPolicy, claimPolicy } from '../api/insurance.js';

export interface Ending {
  readonly what: 'claim' | 'cancel';
  readonly policy: Insurance;
}

/** Ends a policy by a claim or by cancelling it. */
export function EndDialog({ ending: { what, policy }, onClose }: { ending: Ending; onClose: () => void }) {
  return what === 'claim' ? (
    <ClaimDialog policy={policy} onClose={onClose} />
  ) : (
    <CancelDialog policy={policy} onClose={onClose} />
  );
}

interface Props {
  policy: Insurance;
  onClose: () => void;
}
const vaultOf = ({ vault, currency_name: coin }: Insurance): string =>
  `\u2066${grouped(atMost(vault, 8))} ${coin}\u2069`;

function ClaimDialog({ policy, onClose }: Props) {
  const { t } = useTranslation();
  const submission = useSubmission();
  const send = async (): Promise<void> => {
    const done = await submission.run(async (intent) => {
      toastAnswer(`insurance ${policy.id}`, await claimPolicy(policy.id, intent));
    }, policy.id);
    if (done) onClose();
  };
  return (
    <SubmissionDialog
      title={t('insurance.claim')}
      description={t('insurance.claimText', { vault: vaultOf(policy) })}
      submission={submission}
      action={t('insurance.claim')}
      kind="primary"
      onSend={() => void send()}
      onClose={onClose}
    />
  );
}

function CancelDialog({ policy, onClose }: Props) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const problems = /^[A-Za-z0-9]{6}$/.test(password) ? {} : { password: 'fund.format' };
  const form = useIntentForm(problems, { id: policy.id }, async (fields, intent) => {
    toastDone(await cancelPolicy({ ...fields, password }, intent));
    onClose();
  });
  return (
    <FormDialog
      title={t('insurance.cancel')}
      description={t('insurance.cancelText', { vault: vaultOf(policy) })}
      submission={form}
      action={t('insurance.cancel')}
      kind="danger"
      onClose={onClose}
    >
      <FundPasswordField value={password} onChange={setPassword} error={form.shown(problems.password)} />
    </FormDialog>
  );
}
