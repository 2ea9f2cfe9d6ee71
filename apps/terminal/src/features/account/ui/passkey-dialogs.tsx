import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PasskeyRow } from '@bourse/contract';
import { Field } from '@bourse/ui';
import { toastDone } from '@bourse/web';
import { api, queryClient } from '../../../core/api.js';
import { createPasskey } from '../../../core/passkey.js';
import { FormDialog } from '../../../forms/form-dialog.js';
import { LoginPasswordField } from '../../../forms/login-password-field.js';
import type { Problems } from '../../../forms/problems.js';
import { useForm } from '../../../forms/use-form.js';
import { KEYS, passkeyDisable, passkeyEnable, passkeyRename, passkeySetup } from '../api/account.js';
import { deviceName } from '../model/security.js';

const LABEL_LENGTH_MAX = 50;

/** The list and the sessions: a change of the passkeys ends the others. */
const reread = (): Promise<unknown> =>
  Promise.all([KEYS.passkeys, KEYS.sessions].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
const labelProblems = (label: string): Problems<'label'> =>
  label.trim() === '' ? { label: 'passkeys.labelRequired' } : {};

/** A new passkey: named first, then made by the browser, then registered. */
export function NewPasskeyDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [label, setLabel] = useState(() => deviceName(navigator.userAgent));
  const problems = labelProblems(label);
  const submission = useForm(problems, async () => {
    const made = await createPasskey(await passkeySetup(api));
    if ('problem' in made) {
      submission.setRefusal(t(made.problem));
      return 'stay';
    }
    await passkeyEnable(api, label.trim(), made.passkey);
    await reread();
    toastDone(t('passkey.enabled'));
    onClose();
    return undefined;
  });
  return (
    <FormDialog
      title={t('passkeys.make')}
      description={t('passkeys.makeText')}
      submission={submission}
      action={t('passkeys.make')}
      onClose={onClose}
    >
      <LabelField label={label} onLabel={setLabel} error={submission.shown(problems.label)} />
    </FormDialog>
  );
}

export function RenamePasskeyDialog({ row, onClose }: { row: PasskeyRow; onClose: () => void }) {
  const { t } = useTranslation();
  const [label, setLabel] = useState(row.label);
  const problems = labelProblems(label);
  const submission = useForm(problems, async () => {
    await passkeyRename(api, row.id, label.trim());
    await queryClient.invalidateQueries({ queryKey: KEYS.passkeys });
    toastDone(t('passkey.renamed'));
    onClose();
  });
  return (
    <FormDialog title={t('passkeys.rename')} submission={submission} action={t('passkeys.rename')} onClose={onClose}>
      <LabelField label={label} onLabel={setLabel} error={submission.shown(problems.label)} />
    </FormDialog>
  );
}

export function RemovePasskeyDialog({ row, onClose }: { row: PasskeyRow; onClose: () => void }) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const problems: Problems<'password'> = password === '' ? { password: 'security.loginPasswordRequired' } : {};
  const submission = useForm(problems, async () => {
    await passkeyDisable(api, row.id, password);
    await reread();
    toastDone(t('passkey.disabled'));
    onClose();
  });
  return (
    <FormDialog
      title={t('passkeys.removeTitle')}
      description={t('passkeys.removeText', { label: row.label })}
      submission={submission}
      action={t('passkeys.remove')}
      kind="danger"
      onClose={onClose}
    >
      <LoginPasswordField value={password} onChange={setPassword} error={submission.shown(problems.password)} />
    </FormDialog>
  );
}

function LabelField({
  label,
  onLabel,
  error,
}: {
  label: string;
  onLabel: (label: string) => void;
  error: string | undefined;
}) {
  const { t } = useTranslation();
  return (
    <Field
      name="label"
      label={t('apiKey.label')}
      value={label}
      maxLength={LABEL_LENGTH_MAX}
      autoComplete="off"
      error={error}
      onChange={(event) => onLabel(event.target.value)}
    />
  );
}
