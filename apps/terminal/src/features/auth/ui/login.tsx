import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { Button, Field } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { useServerConfig } from '../../../core/config.js';
import { signIn } from '../../../core/session.js';
import { toastDone } from '../../../core/toasts.js';
import { login } from '../api/account.js';
import { loginProblems } from '../model/account.js';
import { AccountInput, NO_ACCOUNT } from '../../../forms/account-input.js';
import { CodeField } from '../../../forms/code-field.js';
import { FormCard, FormError } from '../../../forms/form-card.js';
import { PasswordField } from '../../../forms/password-field.js';
import { useSubmission } from '../../../forms/use-submission.js';

/** The way home takes half a second, so that "logged in" can be read (rules §16). */
const REDIRECT_MS = 500;

export default function Login() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const config = useServerConfig();
  const [who, setWho] = useState(NO_ACCOUNT);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [totp, setTotp] = useState('');
  const [need, setNeed] = useState<'sms_code' | 'totp' | null>(null);
  const needCode = config?.login_need_code === 1 || need === 'sms_code';
  const problems = loginProblems({ account: who.account, password, code, needCode });

  const { shown, busy, refusal, setRefusal, submit } = useSubmission(problems, async () => {
    const { token, id } = await login(api, { account: who.account.trim(), password, areaCode: who.areaCode, code, totp });
    await signIn(token, id);
    toastDone(t('account.welcomeBack'));
    const back = query.get('back');
    setTimeout(() => void navigate(back?.startsWith('/') && !back.startsWith('//') ? back : '/', { replace: true }), REDIRECT_MS);
  }, ({ body }) => {
    const wants = body['need'];
    if (wants === 'sms_code' || wants === 'totp') setNeed(wants);
  });

  return (
    <FormCard title={t('account.loginTitle')} {...(query.get('type') === '1' ? { lead: t('account.expired') } : {})} onSubmit={() => void submit()}
      footer={<><Link to="/register" className="hover:text-t1">{t('account.noAccount')} <span className="text-t1 underline">{t('account.toRegister')}</span></Link><Link to="/forgetPwd" className="underline hover:text-t1">{t('account.forgot')}</Link></>}>
      <AccountInput value={who} onChange={setWho} error={shown(problems.account)} />
      <PasswordField name="password" label={t('account.password')} value={password} autoComplete="current-password" error={shown(problems.password)} onChange={(event) => setPassword(event.target.value)} />
      {needCode && <CodeField scene="login" account={who.account.trim()} areaCode={who.areaCode} value={code} onChange={setCode} error={shown(problems.code)} ready={() => who.account.trim() !== ''} onRefused={setRefusal} />}
      {need === 'totp' && <Field label={t('account.totp')} name="totp" numeric inputMode="numeric" maxLength={6} autoComplete="one-time-code" value={totp} onChange={(event) => setTotp(event.target.value)} />}
      <FormError>{refusal}</FormError>
      <Button kind="primary" size="main" type="submit" busy={busy}>{t('account.loginButton')}</Button>
    </FormCard>
  );
}
