import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Button, Field, masked, Num } from '@bourse/ui';
import { api, queryClient } from '../../../core/api.js';
import { loadInfo, useSession } from '../../../core/session.js';
import { toastDone } from '@bourse/web';
import { useWayBack } from '../../../core/way-back.js';
import { AreaCodes } from '../../../forms/account-input.js';
import type { AccountKind } from '../../../forms/account-name.js';
import { CodeField } from '../../../forms/code-field.js';
import { FormCard, FormError } from '../../../forms/form-card.js';
import { useForm } from '../../../forms/use-form.js';
import { bind, KEYS } from '../api/account.js';
import { bindAccountProblem, bindProblems } from '../model/forms.js';

/** The way back takes a moment, so that "bound" can be read (rules §16). */
const REDIRECT_MS = 1_500;

/** Binds an e-mail address or a phone, or changes it, by a code sent to the new one. */
export function Bind({ kind }: { kind: AccountKind }) {
  const { t } = useTranslation();
  const { goBack } = useWayBack('/account/accountSet');
  const info = useSession((session) => session.info);
  const [account, setAccount] = useState('');
  const [areaCode, setAreaCode] = useState<string>();
  const [code, setCode] = useState('');
  const [early, setEarly] = useState<string>();
  const [isBound, setBound] = useState(false);
  const email = kind === 'email';
  const area = areaCode ?? (info?.area_code.replace(/\D/g, '') || '1');
  const now = email ? info?.email : info?.phone;
  const problems = bindProblems({ account, code, kind });
  const ready = (): boolean => {
    const problem = bindAccountProblem(account, kind);
    setEarly(problem);
    return problem === undefined;
  };
  const { shown, busy, refusal, setRefusal, submit } = useForm(problems, async () => {
    await bind(api, kind, account.trim(), area, code.trim());
    await Promise.all([loadInfo(), queryClient.invalidateQueries({ queryKey: KEYS.center })]);
    toastDone(t(email ? 'bind.emailDone' : 'bind.phoneDone'));
    setBound(true);
  });
  const leave = useEffectEvent(() => void goBack());
  useEffect(() => {
    if (!isBound) return undefined;
    const timer = setTimeout(() => leave(), REDIRECT_MS);
    // The person may have gone elsewhere meanwhile.
    return () => clearTimeout(timer);
  }, [isBound]);
  return (
    <FormCard
      title={t(email ? 'title.bindEmail' : 'title.bindPhone')}
      lead={t(now ? 'bind.changeNote' : 'bind.note')}
      onSubmit={() => void submit()}
      footer={
        <Link to="/account/accountSet" className="underline hover:text-t1">
          {t('nav.accountSet')}
        </Link>
      }
    >
      {now && (
        <p className="text-table text-t2">
          {t('bind.now')} <Num className="text-t1">{masked(now)}</Num>
        </p>
      )}
      <div className="flex items-start gap-2">
        {!email && <AreaCodes value={area} onChange={setAreaCode} />}
        <Field
          className="min-w-0 flex-1"
          name={email ? 'email' : 'mobile'}
          label={t(email ? 'account.email' : 'account.phone')}
          type={email ? 'email' : 'tel'}
          autoComplete={email ? 'email' : 'tel-national'}
          dir="ltr"
          maxLength={64}
          value={account}
          error={shown(problems.account) ?? (early ? t(early) : undefined)}
          onChange={(event) => {
            setAccount(event.target.value);
            setEarly(undefined);
          }}
        />
      </div>
      <CodeField
        scene="bind"
        account={account.trim()}
        areaCode={area}
        value={code}
        onChange={setCode}
        error={shown(problems.code)}
        ready={ready}
        onRefused={setRefusal}
      />
      <FormError>{refusal}</FormError>
      <Button kind="primary" size="main" type="submit" busy={busy}>
        {t('security.bind')}
      </Button>
    </FormCard>
  );
}
