import { useId, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, Dialog, Field } from '@bourse/ui';
import { api } from '../core/api.js';
import { settleConfirmation } from '../core/confirm.js';
import { useSession } from '../core/session.js';
import { FormError } from '../forms/form-card.js';
import { PasswordField } from '../forms/password-field.js';
import type { Problems } from '../forms/problems.js';
import { useForm } from '../forms/use-form.js';

const CODE_DIGITS = 6;

/**
 * Asks for the login password, and for the authenticator's code where one is on: the calls that wait for it go on by
 * themselves.
 */
export default function ConfirmDialog() {
  const { t } = useTranslation();
  const form = useId();
  const hasTotp = useSession(({ info }) => info?.totp === 1);
  const [needsTotp, setNeedsTotp] = useState(hasTotp);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const problems: Problems<'password' | 'code'> = {
    ...(password === '' ? { password: 'security.loginPasswordRequired' } : {}),
    ...(needsTotp && code.length !== CODE_DIGITS ? { code: 'login.totpRequired' } : {}),
  };
  const submission = useForm(
    problems,
    async () => {
      await api.post('/api/user/confirm_password', { password, ...(code ? { totp_code: code } : {}) }, { quiet: true });
      settleConfirmation(true);
    },
    ({ key }) => {
      if (key === 'login.totpRequired') setNeedsTotp(true);
      // A code is used up by its try: the next one is another.
      if (key === 'login.totpWrong') setCode('');
    },
  );
  const close = (): void => {
    if (!submission.busy) settleConfirmation(false);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // The dialog may lie over another form: that one is not sent by this press.
    event.stopPropagation();
    void submission.submit();
  };
  return (
    <Dialog
      open
      onClose={close}
      title={t('security.confirmTitle')}
      description={t('security.confirmText')}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button disabled={submission.busy} onClick={close}>
            {t('common.cancel')}
          </Button>
          <Button kind="primary" type="submit" form={form} busy={submission.busy}>
            {t('common.confirm')}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={submit} className="flex flex-col gap-4">
        <PasswordField
          name="confirm_password"
          label={t('security.loginPassword')}
          value={password}
          autoComplete="current-password"
          error={submission.shown(problems.password)}
          onChange={(event) => setPassword(event.target.value)}
        />
        {needsTotp && (
          <Field
            name="confirm_totp"
            label={t('account.totp')}
            numeric
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={CODE_DIGITS}
            value={code}
            error={submission.refusal ? undefined : submission.shown(problems.code)}
            onChange={(event) => setCode(event.target.value.replace(/\D/g, ''))}
          />
        )}
        <FormError>{submission.refusal}</FormError>
      </form>
    </Dialog>
  );
}
