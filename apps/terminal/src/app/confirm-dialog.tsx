import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PasskeyRequest } from '@bourse/contract';
import { api, type ApiError } from '../core/api.js';
import { settleConfirmation } from '../core/confirm.js';
import { useSession } from '../core/session.js';
import { FormDialog } from '../forms/form-dialog.js';
import { LoginPasswordField } from '../forms/login-password-field.js';
import { PasskeyButton } from '../forms/passkey-button.js';
import type { Problems } from '../forms/problems.js';
import { TOTP_DIGITS, TotpField } from '../forms/totp-field.js';
import { useForm } from '../forms/use-form.js';

/**
 * Asks for the login password, and for the authenticator's code where one is on: the calls that wait for it go on by
 * themselves.
 */
export default function ConfirmDialog() {
  const { t } = useTranslation();
  const hasTotp = useSession(({ info }) => info?.totp === 1);
  const [needsTotp, setNeedsTotp] = useState(hasTotp);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [challenge, setChallenge] = useState<PasskeyRequest>();
  const problems: Problems<'password' | 'code'> = {
    ...(password === '' ? { password: 'security.loginPasswordRequired' } : {}),
    ...(needsTotp && code.length !== TOTP_DIGITS ? { code: 'login.totpRequired' } : {}),
  };
  const confirm = async (proof: { totp_code?: string; passkey?: string }): Promise<void> => {
    await api.post('/api/user/confirm_password', { password, ...proof }, { quiet: true });
    settleConfirmation(true);
  };
  const onRefused = ({ body, key }: ApiError): void => {
    if (key === 'login.totpRequired') setNeedsTotp(true);
    // A code or a challenge is used up by its try: the next one is another.
    if (key === 'login.totpWrong') setCode('');
    setChallenge(body['passkey'] as PasskeyRequest | undefined);
  };
  const submission = useForm(problems, () => confirm(code ? { totp_code: code } : {}), onRefused);
  return (
    <FormDialog
      title={t('security.confirmTitle')}
      description={t('security.confirmText')}
      submission={submission}
      action={t('common.confirm')}
      onClose={() => settleConfirmation(false)}
    >
      <LoginPasswordField
        name="confirm_password"
        value={password}
        onChange={setPassword}
        error={submission.shown(problems.password)}
      />
      {needsTotp && (
        <TotpField
          name="confirm_totp"
          value={code}
          onChange={setCode}
          error={submission.refusal ? undefined : submission.shown(problems.code)}
        />
      )}
      {challenge && (
        <PasskeyButton
          label={t('account.usePasskey')}
          request={() => challenge}
          onAnswer={(passkey) => confirm({ passkey })}
          onRefused={(text, failure) => {
            submission.setRefusal(text);
            if (failure) onRefused(failure);
          }}
        />
      )}
    </FormDialog>
  );
}
