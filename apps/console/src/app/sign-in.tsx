import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@bourse/api-client';
import { Alert, Button, Field, OneTimeCodeField } from '@bourse/ui';
import { useSubmission } from '@bourse/web';
import { signIn } from '../core/operator.js';

/** Digits of an authenticator. */
const TOTP_DIGITS = 6;

/** Moves the focus to the field that has just appeared. */
const focused = (input: HTMLInputElement | null): void => input?.focus();

/**
 * The sign-in form: name, password, and the digits of the authenticator if the operator has one. An operator who signs
 * in with a first password, chosen by somebody else, must set a new one.
 */
export function SignIn() {
  const { t } = useTranslation();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [newPassword, setNewPassword] = useState('');
  const [asksCode, setAsksCode] = useState(false);
  const [asksNew, setAsksNew] = useState(false);
  const [refused, setRefused] = useState<ApiError>();
  const [tried, setTried] = useState(false);
  const { busy, refusal, run } = useSubmission('act.silence');
  const required = (value: string): string | undefined => (tried && value === '' ? t('act.required') : undefined);
  const isOfNew = asksNew && refused?.field === 'new_password';

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    setRefused(undefined);
    if (username === '' || password === '') return;
    void run(async () => {
      try {
        await signIn({ username: username.trim(), password, totpCode: code, newPassword: asksNew ? newPassword : '' });
      } catch (error) {
        if (error instanceof ApiError) {
          setRefused(error);
          if (error.key.startsWith('login.totp')) setAsksCode(true);
          if (error.body['need'] === 'new_password') setAsksNew(true);
        }
        throw error;
      }
    });
  };
  return (
    <main id="main" className="mx-auto flex min-h-dvh w-full max-w-[26rem] flex-col justify-center px-4 py-8">
      <form noValidate onSubmit={submit} className="flex flex-col gap-4 rounded-dialog border border-line bg-bg1 p-6">
        <div className="flex flex-col gap-1">
          <h1 className="text-last font-semibold">{t('signIn.title')}</h1>
          <p className="text-body text-t2">{t('signIn.lead')}</p>
        </div>
        <Field
          name="username"
          label={t('signIn.username')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          value={username}
          error={required(username)}
          onChange={(event) => setUsername(event.target.value)}
        />
        <Field
          name="password"
          type="password"
          label={t('signIn.password')}
          autoComplete="current-password"
          value={password}
          error={required(password)}
          onChange={(event) => setPassword(event.target.value)}
        />
        <OneTimeCodeField
          name="totp_code"
          label={t('signIn.code')}
          hint={asksCode ? undefined : t('signIn.codeHint')}
          length={TOTP_DIGITS}
          value={code}
          onCode={setCode}
        />
        {asksNew && (
          <Field
            ref={focused}
            name="new_password"
            type="password"
            label={t('signIn.newPassword')}
            hint={t('signIn.newPasswordHint')}
            autoComplete="new-password"
            value={newPassword}
            error={isOfNew ? refused.message : undefined}
            onChange={(event) => {
              setNewPassword(event.target.value);
              setRefused(undefined);
            }}
          />
        )}
        {refusal !== undefined && !isOfNew && <Alert tone="error">{refusal}</Alert>}
        <Button type="submit" kind="primary" size="main" busy={busy}>
          {t('signIn.action')}
        </Button>
      </form>
    </main>
  );
}
