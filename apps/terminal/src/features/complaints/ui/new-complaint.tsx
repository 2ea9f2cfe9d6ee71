import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { COMPLAINT_KINDS, type ComplaintKind } from '@bourse/contract';
import { Field, Select } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { toastDone } from '@bourse/web';
import { FormDialog } from '../../../forms/form-dialog.js';
import { LongText } from '../../../forms/long-text.js';
import { useForm } from '../../../forms/use-form.js';
import type { Photo } from '../../../parts/photo.js';
import { complain } from '../api/complaints.js';
import { ABOUT_MAX, complaintProblems, sentImages, sentText, SUBJECT_MAX, TEXT_MAX } from '../model/complaint.js';
import { KIND_TEXTS } from './kinds.js';
import { Pictures } from './pictures.js';

/** Writes a complaint; kind and number are filled where it was begun at an order, a deal or a deposit. */
export function NewComplaint({
  begun,
  onClose,
  onSent,
}: {
  begun: { readonly kind: ComplaintKind; readonly about: string };
  onClose: () => void;
  onSent: (id: number) => void;
}) {
  const { t } = useTranslation();
  const [kind, setKind] = useState(begun.kind);
  const [about, setAbout] = useState(begun.about);
  const [subject, setSubject] = useState('');
  const [text, setText] = useState('');
  const [photos, setPhotos] = useState<readonly Photo[]>([]);
  const problems = complaintProblems({ subject, text, photos });
  const form = useForm(problems, async () => {
    const number = about.trim() === '' ? {} : { about: about.trim() };
    const words = { kind, subject: sentText(subject), text: sentText(text) };
    const { id, message } = await complain(api, { ...words, ...number, ...sentImages(photos) });
    toastDone(message);
    onSent(id);
  });
  return (
    <FormDialog
      title={t('complaints.new')}
      description={t('complaints.lead')}
      submission={form}
      action={t('complaints.send')}
      onClose={onClose}
    >
      <Select
        label={t('complaints.kind')}
        value={kind}
        onChange={setKind}
        options={COMPLAINT_KINDS.map((value) => ({ value, label: t(KIND_TEXTS[value]) }))}
      />
      <Field
        label={t('complaints.about')}
        maxLength={ABOUT_MAX}
        value={about}
        onChange={(event) => setAbout(event.target.value)}
      />
      <Field
        label={t('complaints.subject')}
        maxLength={SUBJECT_MAX}
        value={subject}
        onChange={(event) => setSubject(event.target.value)}
        error={form.shown(problems.subject)}
      />
      <LongText
        label={t('complaints.text')}
        max={TEXT_MAX}
        value={text}
        onChange={setText}
        error={form.shown(problems.text)}
      />
      <Pictures photos={photos} onPhotos={setPhotos} error={form.shown(problems.photos)} />
    </FormDialog>
  );
}
