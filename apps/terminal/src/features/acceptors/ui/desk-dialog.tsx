import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AcceptorDeal } from '@bourse/contract';
import { Field } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { toastDone } from '@bourse/web';
import { SubmissionDialog } from '../../../forms/submission-dialog.js';
import { useIntentForm } from '../../../forms/use-form.js';
import { FundPasswordField } from '../../../parts/fund-password-field.js';
import { PhotoField } from '../../../parts/photo-field.js';
import { NO_PHOTO, photoProblem, photoUrl } from '../../../parts/photo.js';
import { actAtDesk, readAgain } from '../api/acceptors.js';
import type { DeskAction } from '../model/acceptors.js';
import { cashText, coinText, inLine } from '../model/figures.js';

const TEXTS: Readonly<Record<DeskAction, string>> = {
  confirm: 'acc.deskConfirmText',
  reject: 'acc.rejectText',
  transferred: 'acc.transferredText',
};

/** The acts of an acceptor on an order, with the fund password; Enter does not send it (terminal rule 13). */
export function DeskDialog({ deal, action, onClose }: { deal: AcceptorDeal; action: DeskAction; onClose: () => void }) {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const [photo, setPhoto] = useState(NO_PHOTO);
  const [password, setPassword] = useState('');
  const problem = {
    reason: action === 'reject' && reason.trim() === '' ? 'acc.reasonRequired' : undefined,
    photo: action === 'transferred' ? photoProblem(photo, 'upload.required') : undefined,
    password: password.length === 6 ? undefined : 'fund.format',
  };
  const problems = Object.fromEntries(Object.entries(problem).filter(([, key]) => key !== undefined));
  const act = {
    id: deal.id,
    ...(action === 'reject' && { reason: reason.trim() }),
    ...(action === 'transferred' && { proof_pic: photoUrl(photo) }),
  };
  const form = useIntentForm(problems, act, async (fields, intent) => {
    const { message } = await actAtDesk(api, action, { ...fields, password }, intent);
    toastDone(message);
    onClose();
    await readAgain();
  });
  const buys = deal.type === 'buy';
  return (
    <SubmissionDialog
      title={t(`acc.${action}`)}
      description={t(TEXTS[action], {
        fiat: inLine(cashText(buys ? deal.money : deal.receive_money)),
        coins: inLine(coinText(buys ? deal.receive_money : deal.money)),
      })}
      submission={form}
      action={t(`acc.${action}`)}
      kind={action === 'reject' ? 'danger' : 'primary'}
      keep={t('common.back')}
      onSend={() => void form.submit()}
      onClose={onClose}
    >
      {action === 'reject' && (
        <Field
          label={t('acc.reason')}
          name="reason"
          maxLength={500}
          value={reason}
          error={form.shown(problem.reason)}
          onChange={(event) => setReason(event.target.value)}
        />
      )}
      {action === 'transferred' && (
        <PhotoField
          scene="proof"
          label={t('acc.proof')}
          photo={photo}
          onPhoto={setPhoto}
          error={form.shown(problem.photo)}
        />
      )}
      <FundPasswordField value={password} onChange={setPassword} error={form.shown(problem.password)} />
    </SubmissionDialog>
  );
}
