import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useSearchParams } from 'react-router-dom';
import { codeCharacters, type PasskeyRequest } from '@bourse/contract';
import { Button, Field } from '@bourse/ui';
import { api, type ApiError } from '../../../core/api.js';
import { useServerConfig } from '../../../core/config.js';
import { signIn } from '../../../core/session.js';
import { useLeave } from '../../../core/use-leave.js';
import { toastDone } from '@bourse/web';
import {
  AccountInput,
  knownAccountIn,
  NO_ACCOUNT,
  prefilled,
  type AccountValue,
} from '../../../forms/account-input.js';
import { CodeField } from '../../../forms/code-field.js';
import { FormCard, FormError } from '../../../forms/form-card.js';
import { PasskeyButton } from '../../../forms/passkey-button.js';
import { PasswordField } from '../../../forms/password-field.js';
import { TotpField } from '../../../forms/totp-field.js';
import { useForm } from '../../../forms/use-form.js';
import { deviceLogin, login, passkeyLogin, passkeyOptions } from '../api/account.js';
import { deviceProblems, loginProblems } from '../model/account.js';

/** The way home takes half a second, so that "logged in" can be read (rules §16). */
const REDIRECT_MS = 500;

/**
 * By password, or by the code that a signed-in device shows. What was typed as the account stays when the way changes.
 */
export default function Login() {
  const { t } = useTranslation();
  const leave = useLeave();
  const [query] = useSearchParams();
  const { state } = useLocation() as { state: unknown };
  const known = knownAccountIn(state);
  const [who, setWho] = useState(known ? prefilled(known.account, known.areaCode) : NO_ACCOUNT);
  const [byDevice, setByDevice] = useState(false);
  const done = async ({ token, id }: { token: string; id: number }): Promise<void> => {
    await signIn(token, id);
    toastDone(t('account.welcomeBack'));
    const back = query.get('back');
    setTimeout(
      () => void leave(back?.startsWith('/') && !back.startsWith('//') ? back : '/', { replace: true }),
      REDIRECT_MS,
    );
  };
  const Form = byDevice ? DeviceForm : PasswordForm;
  return (
    <Form
      who={who}
      onWho={setWho}
      known={known !== undefined}
      onToken={done}
      lead={query.get('type') === '1' ? t('account.expired') : undefined}
      onOther={() => setByDevice(!byDevice)}
    />
  );
}

interface FormProps {
  who: AccountValue;
  onWho: (who: AccountValue) => void;
  /** The account is filled in: the password comes first. */
  known: boolean;
  onToken: (session: { token: string; id: number }) => Promise<void>;
  lead: string | undefined;
  onOther: () => void;
}

function PasswordForm({ who, onWho, known, onToken, lead, onOther }: FormProps) {
  const { t } = useTranslation();
  const config = useServerConfig();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [totp, setTotp] = useState('');
  const [need, setNeed] = useState<ReadonlySet<string>>(new Set());
  const [challenge, setChallenge] = useState<PasskeyRequest>();
  const [accountMissing, setAccountMissing] = useState(false);
  const needCode = config?.login_need_code === 1 || need.has('sms_code');
  const problems = loginProblems({
    account: who.account,
    password,
    code,
    needCode,
    ...(need.has('totp') ? { totp } : {}),
  });
  const enter = async (proof: { totp?: string; passkey?: string }): Promise<void> =>
    onToken(await login(api, { account: who.account.trim(), password, areaCode: who.areaCode, code, ...proof }));
  const onRefused = ({ body, key }: ApiError): void => {
    const wants = body['need'];
    if (wants === 'sms_code' || wants === 'totp') setNeed(new Set([...need, wants]));
    // A code or a challenge is used up by its try: the next one is another.
    if (key === 'login.totpWrong') setTotp('');
    setChallenge(challengeOf(body));
  };
  const { shown, busy, refusal, setRefusal, submit } = useForm(problems, () => enter({ totp }), onRefused);
  const ready = (): boolean => {
    setAccountMissing(who.account.trim() === '');
    return who.account.trim() !== '';
  };
  return (
    <FormCard
      title={t('account.loginTitle')}
      {...(lead ? { lead } : {})}
      onSubmit={() => void submit()}
      footer={
        <>
          <Link to="/register" className="hover:text-t1">
            {t('account.noAccount')} <span className="text-t1 underline">{t('account.toRegister')}</span>
          </Link>
          <Link to="/forgetPwd" className="underline hover:text-t1">
            {t('account.forgot')}
          </Link>
        </>
      }
    >
      <AccountInput
        value={who}
        onChange={(next) => {
          setAccountMissing(false);
          onWho(next);
        }}
        error={shown(problems.account) ?? (accountMissing ? t('set.enterAccount') : undefined)}
      />
      <PasswordField
        name="password"
        label={t('account.password')}
        value={password}
        autoComplete="current-password"
        autoFocus={known}
        error={shown(problems.password)}
        onChange={(event) => setPassword(event.target.value)}
      />
      {needCode && (
        <CodeField
          scene="login"
          account={who.account.trim()}
          areaCode={who.areaCode}
          value={code}
          onChange={setCode}
          error={shown(problems.code)}
          ready={ready}
          onRefused={setRefusal}
          autoFocus={need.has('sms_code')}
        />
      )}
      <LoginEnd
        totp={need.has('totp') ? { value: totp, onChange: setTotp, error: shown(problems.totp) } : undefined}
        refusal={refusal}
        busy={busy}
        other={t('account.byDevice')}
        onOther={onOther}
      >
        <PasskeyButton
          label={t(challenge ? 'account.usePasskey' : 'account.byPasskey')}
          request={() => challenge ?? passkeyOptions(api)}
          onAnswer={async (passkey) => (challenge ? enter({ passkey }) : onToken(await passkeyLogin(api, passkey)))}
          onRefused={(text, failure) => {
            setRefusal(text);
            if (failure) onRefused(failure);
          }}
        />
      </LoginEnd>
    </FormCard>
  );
}

/** The challenge to the person's passkeys that a refusal carries. */
const challengeOf = (body: ApiError['body']): PasskeyRequest | undefined =>
  body['passkey'] as PasskeyRequest | undefined;

function DeviceForm({ who, onWho, onToken, lead, onOther }: FormProps) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const [totp, setTotp] = useState('');
  const [needsTotp, setNeedsTotp] = useState(false);
  const [challenge, setChallenge] = useState<PasskeyRequest>();
  const problems = deviceProblems({ account: who.account, code, ...(needsTotp ? { totp } : {}) });
  const enter = async (proof: { totp?: string; passkey?: string }): Promise<void> =>
    onToken(await deviceLogin(api, who.account.trim(), who.areaCode, code.trim(), proof));
  const onRefused = ({ body, key }: ApiError): void => {
    if (key === 'login.totpRequired') setNeedsTotp(true);
    // A code or a challenge is used up by its try: the next one is another.
    if (key === 'login.totpWrong') setTotp('');
    setChallenge(challengeOf(body));
  };
  const { shown, busy, refusal, setRefusal, submit } = useForm(problems, () => enter({ totp }), onRefused);
  return (
    <FormCard
      title={t('account.deviceTitle')}
      lead={lead ?? t('account.deviceNote')}
      onSubmit={() => void submit()}
      footer={
        <Link to="/register" className="hover:text-t1">
          {t('account.noAccount')} <span className="text-t1 underline">{t('account.toRegister')}</span>
        </Link>
      }
    >
      <AccountInput value={who} onChange={onWho} error={shown(problems.account)} />
      <Field
        name="authorization_code"
        label={t('account.deviceCode')}
        dir="ltr"
        autoComplete="off"
        value={code}
        error={shown(problems.code)}
        onChange={(event) => setCode(codeCharacters(event.target.value).slice(0, 16))}
      />
      <LoginEnd
        totp={needsTotp ? { value: totp, onChange: setTotp, error: shown(problems.totp) } : undefined}
        refusal={refusal}
        busy={busy}
        other={t('account.byPassword')}
        onOther={onOther}
      >
        {challenge && (
          <PasskeyButton
            label={t('account.usePasskey')}
            request={() => challenge}
            onAnswer={(passkey) => enter({ passkey })}
            onRefused={(text, failure) => {
              setRefusal(text);
              if (failure) onRefused(failure);
            }}
          />
        )}
      </LoginEnd>
    </FormCard>
  );
}

/**
 * The end of both forms: the authenticator's code where it is required, the problem, and the buttons, a passkey's too.
 */
function LoginEnd({
  totp,
  refusal,
  busy,
  other,
  onOther,
  children,
}: {
  totp: { value: string; onChange: (value: string) => void; error: string | undefined } | undefined;
  refusal: string | undefined;
  busy: boolean;
  other: string;
  onOther: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <>
      {totp && <TotpField name="totp" autoFocus {...totp} error={refusal ? undefined : totp.error} />}
      <FormError>{refusal}</FormError>
      <Button kind="primary" size="main" type="submit" busy={busy}>
        {t('account.loginButton')}
      </Button>
      {children}
      <Button kind="quiet" onClick={onOther}>
        {other}
      </Button>
    </>
  );
}
