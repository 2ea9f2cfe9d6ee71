import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@bourse/ui';
import { toastDone } from '@bourse/web';
import { FormDialog } from '../../forms/form-dialog.js';
import { LongText } from '../../forms/long-text.js';
import { useForm, useIntentForm } from '../../forms/use-form.js';
import { PhotoField } from '../../parts/photo-field.js';
import { NO_PHOTO, photoUrl, type Photo } from '../../parts/photo.js';
import { addEvidence, openAppeal } from '../api/appeal.js';
import { appealProblems, EVIDENCE_MAX, evidenceProblems, REASON_LENGTH } from '../model/appeal.js';

/** Opens an appeal: what happened, in words, with pictures of it. */
export function AppealDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const [photos, setPhotos] = useState<readonly Photo[]>([NO_PHOTO]);
  const problems = appealProblems({ reason, photos });
  const appeal = { reason: reason.trim(), evidence: photos.map(photoUrl).filter(Boolean) };
  const form = useIntentForm(problems, appeal, async (fields, intent) => {
    toastDone(await openAppeal(id, fields, intent), `deal ${id}`);
    onClose();
  });
  const change = (at: number) => (next: (photo: Photo) => Photo) =>
    setPhotos((all) => all.map((photo, place) => (place === at ? next(photo) : photo)));
  return (
    <FormDialog
      title={t('deals.openAppeal')}
      description={t('deals.openAppealText')}
      submission={form}
      action={t('deals.openAppeal')}
      kind="danger"
      onClose={onClose}
    >
      <LongText
        label={t('deals.reason')}
        hint={t('deals.reasonHint', REASON_LENGTH)}
        max={REASON_LENGTH.max}
        value={reason}
        onChange={setReason}
        error={form.shown(problems.reason)}
      />
      {photos.map((photo, at) => (
        <PhotoField
          key={at}
          label={`${t('deals.evidence')} ${at + 1}`}
          scene="evidence"
          camera
          photo={photo}
          onPhoto={change(at)}
          error={photo.state === 'sending' ? form.shown(problems.photos) : undefined}
        />
      ))}
      {photos.length < EVIDENCE_MAX && photos.every(({ state }) => state !== 'none') && (
        <Button onClick={() => setPhotos((all) => [...all, NO_PHOTO])}>{t('deals.morePictures')}</Button>
      )}
    </FormDialog>
  );
}

/** Brings one more piece: words, a picture, or both. */
export function EvidenceDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [photo, setPhoto] = useState(NO_PHOTO);
  const problems = evidenceProblems({ text, photo });
  const form = useForm(problems, async () => {
    const url = photoUrl(photo);
    const words = text.trim();
    const fields = { ...(words === '' ? {} : { text: words }), ...(url === '' ? {} : { url }) };
    await addEvidence(id, fields);
    onClose();
  });
  return (
    <FormDialog title={t('deals.addEvidence')} submission={form} action={t('deals.addEvidence')} onClose={onClose}>
      <LongText
        label={t('deals.evidenceText')}
        max={REASON_LENGTH.max}
        value={text}
        onChange={setText}
        error={form.shown(problems.text)}
      />
      <PhotoField
        label={t('deals.evidence')}
        scene="evidence"
        camera
        photo={photo}
        onPhoto={setPhoto}
        error={form.shown(problems.photo)}
      />
    </FormDialog>
  );
}
