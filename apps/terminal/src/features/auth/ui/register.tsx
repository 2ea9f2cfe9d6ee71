import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import { Button, Checkbox, Field } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { useServerConfig } from '../../../core/config.js';
import { signIn } from '../../../core/session.js';
import { useLeave } from '../../../core/use-leave.js';
import { toastDone } from '@bourse/web';
import { login, register } from '../api/account.js';
import { registerProblems } from '../model/account.js';
import { prefilled, useCountries, type AccountValue, type KnownAccount } from '../../../forms/account-input.js';
import { AccountProof } from '../../../forms/account-proof.js';
import { FormCard, FormError } from '../../../forms/form-card.js';
import { NewPasswordFields } from '../../../forms/new-password-fields.js';
import { useForm } from '../../../forms/use-form.js';

/**
 * `haccount` prefills the account (from the box of the home page), `extension_code` the invite code (from a shared
 * link).
 */
export default function Register() {
  const { t } = useTranslation();
  const leave = useLeave();
  const [query] = useSearchParams();
  const config = useServerConfig();
  const list = useCountries();
  const [who, setWho] = useState<AccountValue>(() => prefilled(query.get('haccount') ?? ''));
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [repeat, setRepeat] = useState('');
  const [invite, setInvite] = useState(query.get('extension_code') ?? '');
  const [nationality, setNationality] = useState('');
  const [terms, setTerms] = useState(false);
  // The word in brackets leads to the terms.
  const [before, link, after] = t('account.terms').split(/[[\]]/);
  const inviteRequired = config?.invite_code_must === 1;
  const problems = registerProblems({
    account: who.account,
    code,
    password,
    repeat,
    invite,
    inviteRequired,
    terms,
    mode: who.mode,
  });
  const { shown, busy, refusal, setRefusal, submit } = useForm(problems, async () => {
    const { areaCode } = who;
    const account = who.account.trim();
    await register(api, { account, code: code.trim(), password, repeat, invite, areaCode, nationality });
    // If every sign-in needs a code of its own, the login opens with the new account filled in.
    const session = await login(api, { account, password, areaCode }).catch((error: unknown) => {
      console.debug('not signed in after the registration', error);
      return undefined;
    });
    if (!session) {
      toastDone(t('account.registered'));
      return leave('/components/login', { state: { account, areaCode } satisfies KnownAccount });
    }
    await signIn(session.token, session.id);
    toastDone(t('account.created'));
    return leave('/account/firstSteps', { replace: true });
  });

  return (
    <FormCard
      title={t('account.registerTitle')}
      onSubmit={() => void submit()}
      footer={
        <Link to="/components/login" className="hover:text-t1">
          {t('account.hasAccount')} <span className="text-t1 underline">{t('account.toLogin')}</span>
        </Link>
      }
    >
      <AccountProof
        scene="register"
        who={who}
        onWho={setWho}
        code={code}
        onCode={setCode}
        errors={{ account: shown(problems.account), code: shown(problems.code) }}
        onRefused={setRefusal}
      />
      <NewPasswordFields
        label={t('account.password')}
        hint={t('account.passwordHint')}
        repeatName="re_password"
        password={password}
        repeat={repeat}
        onPassword={setPassword}
        onRepeat={setRepeat}
        errors={{ password: shown(problems.password), repeat: shown(problems.repeat) }}
      />
      <Field
        name="extension_code"
        label={t(inviteRequired ? 'account.invite' : 'account.inviteOptional')}
        value={invite}
        maxLength={20}
        dir="ltr"
        error={shown(problems.invite)}
        onChange={(event) => setInvite(event.target.value.trim())}
      />
      <label className="flex flex-col gap-1">
        <span className="text-table text-t2">{t('account.nationality')}</span>
        <select
          name="nationality"
          value={nationality}
          onChange={(event) => setNationality(event.target.value)}
          className="h-10 rounded-panel border border-line-strong bg-bg2 px-3 text-body text-t1"
        >
          <option value="">–</option>
          {list?.map((country) => (
            <option key={country.id} value={country.id}>
              {country.name}
            </option>
          ))}
        </select>
        <span className="text-label text-t2">{t('account.nationalityHint')}</span>
      </label>
      <div>
        <Checkbox
          label={
            <span>
              {before}
              <Link to="/policy" target="_blank" className="underline">
                {link}
              </Link>
              {after}
            </span>
          }
          checked={terms}
          onChange={(event) => setTerms(event.target.checked)}
        />
        {shown(problems.terms) && (
          <p role="alert" className="text-table text-down">
            {shown(problems.terms)}
          </p>
        )}
      </div>
      <FormError>{refusal}</FormError>
      <Button kind="primary" size="main" type="submit" busy={busy}>
        {t('account.registerButton')}
      </Button>
    </FormCard>
  );
}
