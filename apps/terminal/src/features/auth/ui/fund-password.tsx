import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, masked } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { loadInfo, useSession } from '../../../core/session.js';
import { toastDone } from '@bourse/web';
import { useWayBack } from '../../../core/way-back.js';
import { saveFundPassword } from '../api/account.js';
import { fundProblems } from '../model/account.js';
import { CodeField } from '../../../forms/code-field.js';
import { FormCard, FormError } from '../../../forms/form-card.js';
import { NewPasswordFields } from '../../../forms/new-password-fields.js';
import { useForm } from '../../../forms/use-form.js';

/** Sets the fund password, or sets it again; the code goes to the account's own e-mail or phone. */
export default function FundPassword() {
  const { t } = useTranslation();
  const { goBack } = useWayBack('/account/accountSet');
  const info = useSession((session) => session.info);
  const [password, setPassword] = useState('');
  const [repeat, setRepeat] = useState('');
  const [code, setCode] = useState('');
  const problems = fundProblems({ password, repeat, code });
  const account = info?.email || info?.phone || '';

  const { shown, busy, refusal, setRefusal, submit } = useForm(problems, async () => {
    await saveFundPassword(api, { password, repeat, code: code.trim() });
    await loadInfo();
    toastDone(t('account.fundSaved'));
    await goBack();
  });

  return (
    <FormCard
      title={t('account.fundTitle')}
      lead={
        <>
          {t('account.fundNote')}
          {info?.has_fund_password === 1 && ` ${t('account.fundResetNote')}`}
        </>
      }
      onSubmit={() => void submit()}
    >
      <NewPasswordFields
        fund
        label={t('account.fundPassword')}
        repeatName="re_password"
        password={password}
        repeat={repeat}
        onPassword={setPassword}
        onRepeat={setRepeat}
        errors={{ password: shown(problems.password), repeat: shown(problems.repeat) }}
      />
      {account && (
        <p className="text-table text-t2">{t('account.codeGoesTo', { account: `\u2066${masked(account)}\u2069` })}</p>
      )}
      <CodeField
        scene="fund"
        account={account}
        areaCode={info?.area_code ?? ''}
        value={code}
        onChange={setCode}
        error={shown(problems.code)}
        waiting={account === ''}
        onRefused={setRefusal}
      />
      <FormError>{refusal}</FormError>
      <Button kind="primary" size="main" type="submit" busy={busy}>
        {t('account.fundButton')}
      </Button>
    </FormCard>
  );
}
