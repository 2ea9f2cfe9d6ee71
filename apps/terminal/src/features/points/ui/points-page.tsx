import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, Field, OneTimeCodeField } from '@bourse/ui';
import { FormCard, FormError } from '../../../forms/form-card.js';
import { PasswordField } from '../../../forms/password-field.js';
import { TotpField } from '../../../forms/totp-field.js';
import { useForm } from '../../../forms/use-form.js';
import { POINTS_SESSION, signInForPoints, signOutOfPoints, usePointsSession } from '../api/points-session.js';
import { pointsLoginProblems } from '../model/points.js';
import { BindForm } from './bind-form.js';
import { Desk } from './desk.js';

/** Points alone, by a session that may call nothing else: its own sign-in, no fund password, and the way out. */
export default function PointsPage() {
  const { t } = useTranslation();
  const token = usePointsSession((session) => session.token);
  const [binding, setBinding] = useState(false);
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 p-4">
      {token === null ? (
        <PointsLogin />
      ) : (
        <>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <h1 className="text-last font-semibold">{t('nav.points')}</h1>
            <Button size="small" onClick={() => void signOutOfPoints()}>
              {t('nav.logout')}
            </Button>
          </div>
          {binding ? (
            <BindForm access={POINTS_SESSION} onDone={() => setBinding(false)} />
          ) : (
            <Desk access={POINTS_SESSION} onBind={() => setBinding(true)} />
          )}
        </>
      )}
    </div>
  );
}

/** Signs in for points alone. The session is kept apart from that of the terminal, which stays as it is. */
function PointsLogin() {
  const { t } = useTranslation();
  const expired = usePointsSession((session) => session.expired);
  const [account, setAccount] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [totp, setTotp] = useState('');
  const [need, setNeed] = useState<ReadonlySet<string>>(new Set());
  const problems = pointsLoginProblems({ account, password });
  const form = useForm(
    problems,
    async () =>
      signInForPoints({
        user_string: account.trim(),
        password,
        ...(code ? { sms_code: code } : {}),
        ...(totp ? { totp_code: totp } : {}),
      }),
    ({ body }) => {
      const wants = body['need'];
      if (typeof wants === 'string') setNeed(new Set([...need, wants]));
    },
  );
  return (
    <FormCard
      title={t('nav.points')}
      lead={t(expired ? 'account.expired' : 'points.loginLead')}
      onSubmit={() => void form.submit()}
    >
      <Field
        name="user_string"
        label={t('account.account')}
        dir="ltr"
        maxLength={64}
        autoComplete="username"
        value={account}
        error={form.shown(problems.account)}
        onChange={(event) => setAccount(event.target.value)}
      />
      <PasswordField
        name="password"
        label={t('account.password')}
        autoComplete="current-password"
        value={password}
        error={form.shown(problems.password)}
        onChange={(event) => setPassword(event.target.value)}
      />
      {need.has('sms_code') && (
        <OneTimeCodeField name="sms_code" label={t('account.code')} length={16} value={code} onCode={setCode} />
      )}
      {need.has('totp') && <TotpField name="totp" value={totp} onChange={setTotp} error={undefined} />}
      <FormError>{form.refusal}</FormError>
      <Button kind="primary" size="main" type="submit" busy={form.busy}>
        {t('account.loginButton')}
      </Button>
    </FormCard>
  );
}
