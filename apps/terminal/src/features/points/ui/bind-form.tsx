import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, Field, Num } from '@bourse/ui';
import { toastDone } from '@bourse/web';
import { FormCard, FormError } from '../../../forms/form-card.js';
import { PasswordField } from '../../../forms/password-field.js';
import { useForm } from '../../../forms/use-form.js';
import { bindAccount, readAgain, useBinding, type PointsAccess } from '../api/points.js';
import { BIND_MAX, bindProblems } from '../model/points.js';

/** The way on takes a moment, so that "bound" can be read (rules §16). */
const REDIRECT_MS = 1_500;

/** Binds the account of the points programme: its name and its password. */
export function BindForm({ access, onDone }: { access: PointsAccess; onDone: () => void }) {
  const { t } = useTranslation();
  const binding = useBinding(access);
  const [account, setAccount] = useState('');
  const [password, setPassword] = useState('');
  const [isBound, setBound] = useState(false);
  const problems = bindProblems({ account, password });
  const form = useForm(problems, async () => {
    toastDone(await bindAccount(access, { user_name: account.trim(), password }));
    setBound(true);
  });
  const refresh = useEffectEvent(() => readAgain(access));
  const leave = useEffectEvent(() => {
    refresh();
    onDone();
  });
  useEffect(() => {
    if (!isBound) return undefined;
    const timer = setTimeout(() => leave(), REDIRECT_MS);
    return () => {
      // The person may have gone elsewhere meanwhile.
      clearTimeout(timer);
      refresh();
    };
  }, [isBound]);
  if (binding.data)
    return (
      <FormCard title={t('points.bindTitle')} onSubmit={onDone}>
        <p>
          {t('points.boundTo')} <Num className="font-medium">{binding.data}</Num>
        </p>
        <Button kind="primary" size="main" type="submit">
          {t('nav.points')}
        </Button>
      </FormCard>
    );
  return (
    <FormCard title={t('points.bindTitle')} lead={t('points.bindLead')} onSubmit={() => void form.submit()}>
      <Field
        name="user_name"
        label={t('points.account')}
        dir="ltr"
        maxLength={BIND_MAX}
        autoComplete="off"
        value={account}
        error={form.shown(problems.account)}
        onChange={(event) => setAccount(event.target.value)}
      />
      <PasswordField
        name="points_password"
        label={t('account.password')}
        maxLength={BIND_MAX}
        autoComplete="off"
        value={password}
        error={form.shown(problems.password)}
        onChange={(event) => setPassword(event.target.value)}
      />
      <FormError>{form.refusal}</FormError>
      <Button kind="primary" size="main" type="submit" busy={form.busy}>
        {t('points.bind')}
      </Button>
    </FormCard>
  );
}
