import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AcceptorDeal } from '@bourse/contract';
import { Field } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { toastDone } from '@bourse/web';
import { SubmissionDialog } from '../../../forms/submission-dialog.js';
import { useIntentForm } from '../../../forms/use-form.js';
import { PhotoField } from '../../../parts/photo-field.js';
import { NO_PHOTO, photoProblem, photoUrl, type Photo } from '../../../parts/photo.js';
import { actAsUser, readAgain } from '../api/acceptors.js';
import type { UserAction } from '../model/acceptors.js';
import { cashText, inLine, nameInLine } from '../model/figures.js';

const TEXTS: Readonly<Record<UserAction, string>> = {
  confirm: 'acc.confirmText',
  object: 'acc.objectText',
  cancel: 'acc.cancelText',
};

const sending = (photo: Photo): string | undefined => (photo.state === 'sending' ? photoProblem(photo, '') : undefined);

/** The acts of a customer on a deal: never by a single button or by Enter (terminal rule 13). */
export function UserDialog({ deal, action, onClose }: { deal: AcceptorDeal; action: UserAction; onClose: () => void }) {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const [photo, setPhoto] = useState(NO_PHOTO);
  const objects = action === 'object';
  // An objection to a deposit needs a proof of payment (rules §7).
  const waits = objects && deal.type === 'buy' ? photoProblem(photo, 'upload.required') : sending(photo);
  const problems = {
    ...(objects && reason.trim() === '' && { reason: 'acc.reasonRequired' }),
    ...(waits && { photo: waits }),
  };
  const pic = photoUrl(photo);
  const act = { id: deal.id, ...(objects && { reason: reason.trim() }), ...(pic && { pic }) };
  const form = useIntentForm(problems, act, async (fields, intent) => {
    const { message } = await actAsUser(api, action, fields, intent);
    toastDone(message);
    onClose();
    await readAgain();
  });
  const name = t(objects && deal.type === 'buy' ? 'acc.paid' : `acc.${action}`);
  return (
    <SubmissionDialog
      title={name}
      description={t(TEXTS[action], {
        name: nameInLine(deal.acceptor_name),
        fiat: inLine(cashText(deal.type === 'buy' ? deal.money : deal.receive_money)),
      })}
      submission={form}
      action={name}
      kind={action === 'confirm' ? 'primary' : 'danger'}
      keep={t('common.back')}
      onSend={() => void form.submit()}
      onClose={onClose}
    >
      {objects && (
        <>
          <Field
            label={t('acc.reason')}
            name="reason"
            maxLength={500}
            value={reason}
            error={form.shown('reason' in problems ? 'acc.reasonRequired' : undefined)}
            onChange={(event) => setReason(event.target.value)}
          />
          <PhotoField
            scene="evidence"
            label={t('acc.picture')}
            photo={photo}
            onPhoto={setPhoto}
            error={form.shown(waits)}
          />
        </>
      )}
    </SubmissionDialog>
  );
}
