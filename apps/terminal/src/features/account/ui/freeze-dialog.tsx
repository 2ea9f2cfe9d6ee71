import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Checkbox } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { toastDone } from '@bourse/web';
import { LoginPasswordField } from '../../../forms/login-password-field.js';
import { useForm } from '../../../forms/use-form.js';
import { freeze } from '../api/account.js';
import { FormDialog } from '../../../forms/form-dialog.js';

/**
 * Stops the own account, which only support can undo: it says so, wants it confirmed, and asks for the login password.
 */
export default function FreezeDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const [sure, setSure] = useState(false);
  const problems = {
    ...(password === '' ? { password: 'security.loginPasswordRequired' } : {}),
    ...(sure ? {} : { sure: 'security.freezeSureRequired' }),
  };
  const submission = useForm(problems, async () => {
    await freeze(api, password);
    toastDone(t('security.frozen'));
    onClose();
  });
  return (
    <FormDialog
      title={t('security.freezeTitle')}
      submission={submission}
      action={t('security.freezeButton')}
      kind="danger"
      onClose={onClose}
    >
      <div role="note" className="rounded-panel border border-warn px-3 py-2 text-body">
        <p className="font-medium text-warn">⚠ {t('security.freezeWarn')}</p>
        <ul className="mt-1 list-disc ps-5 text-t2">
          {(['Trade', 'Withdraw', 'Lift'] as const).map((what) => (
            <li key={what}>{t(`security.freeze${what}`)}</li>
          ))}
        </ul>
      </div>
      <LoginPasswordField value={password} onChange={setPassword} error={submission.shown(problems.password)} />
      <div>
        <Checkbox label={t('security.freezeSure')} checked={sure} onChange={(event) => setSure(event.target.checked)} />
        {submission.shown(problems.sure) && (
          <p role="alert" className="text-table text-down">
            {submission.shown(problems.sure)}
          </p>
        )}
      </div>
    </FormDialog>
  );
}
