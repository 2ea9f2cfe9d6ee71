import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import { Button } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { forgetSession, useSession } from '../../../core/session.js';
import { useLeave } from '../../../core/use-leave.js';
import { toastDone } from '@bourse/web';
import { resetPassword } from '../api/account.js';
import { forgetProblems } from '../model/account.js';
import { prefilled, type AccountValue } from '../../../forms/account-input.js';
import { AccountProof } from '../../../forms/account-proof.js';
import { FormCard, FormError } from '../../../forms/form-card.js';
import { NewPasswordFields } from '../../../forms/new-password-fields.js';
import { useForm } from '../../../forms/use-form.js';

/**
 * A new login password by code. It ends all sessions, this browser's too. From the account settings (`fromSet`) it
 * starts with the person's own account.
 */
export default function Forget() {
  const { t } = useTranslation();
  const leave = useLeave();
  const [query] = useSearchParams();
  const info = useSession((session) => session.info);
  const fromSettings = query.has('fromSet') && info !== undefined;
  const [typed, setWho] = useState<AccountValue>();
  const who = typed ?? prefilled(fromSettings ? info.email || info.phone : '', info?.area_code);
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [repeat, setRepeat] = useState('');
  const problems = forgetProblems({ account: who.account, code, password, repeat });
  const { shown, busy, refusal, setRefusal, submit } = useForm(problems, async () => {
    await resetPassword(api, { account: who.account.trim(), code: code.trim(), password, repeat });
    forgetSession();
    toastDone(t('account.resetDone'));
    await leave('/components/login');
  });

  return (
    <FormCard
      title={t('account.forgetTitle')}
      lead={t('account.forgetNote')}
      onSubmit={() => void submit()}
      footer={
        <Link to={fromSettings ? '/account/accountSet' : '/components/login'} className="underline hover:text-t1">
          {t(fromSettings ? 'nav.accountSet' : 'account.toLogin')}
        </Link>
      }
    >
      <AccountProof
        scene="forget"
        who={who}
        onWho={setWho}
        code={code}
        onCode={setCode}
        errors={{ account: shown(problems.account), code: shown(problems.code) }}
        onRefused={setRefusal}
      />
      <NewPasswordFields
        label={t('account.newPassword')}
        hint={t('account.passwordHint')}
        repeatName="repassword"
        password={password}
        repeat={repeat}
        onPassword={setPassword}
        onRepeat={setRepeat}
        errors={{ password: shown(problems.password), repeat: shown(problems.repeat) }}
      />
      <FormError>{refusal}</FormError>
      <Button kind="primary" size="main" type="submit" busy={busy}>
        {t('account.resetButton')}
      </Button>
    </FormCard>
  );
}
