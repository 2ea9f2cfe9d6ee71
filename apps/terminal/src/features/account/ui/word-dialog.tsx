import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { toastDone } from '@bourse/web';
import { useForm } from '../../../forms/use-form.js';
import { saveWord } from '../api/account.js';
import { wordProblems } from '../model/forms.js';
import { FormDialog } from '../../../forms/form-dialog.js';

/** A word of the person's own that every true mail of the exchange has. */
export default function WordDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [word, setWord] = useState('');
  const problems = wordProblems(word);
  const submission = useForm(problems, async () => {
    await saveWord(api, word.trim());
    toastDone(t('security.saved'));
    onClose();
  });
  return (
    <FormDialog
      title={t('security.word')}
      description={t('security.wordText')}
      submission={submission}
      action={t('security.save')}
      onClose={onClose}
    >
      <Field
        name="word"
        label={t('security.word')}
        hint={t('security.wordLength')}
        value={word}
        maxLength={20}
        autoComplete="off"
        error={submission.shown(problems.word)}
        onChange={(event) => setWord(event.target.value)}
      />
    </FormDialog>
  );
}
