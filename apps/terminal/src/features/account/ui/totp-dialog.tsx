import { useQuery } from '@tanstack/react-query';
import { QRCodeSVG } from 'qrcode.react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { keys } from '@bourse/api-client';
import { Num, Skeleton } from '@bourse/ui';
import { api, MAKES } from '../../../core/api.js';
import { loadInfo } from '../../../core/session.js';
import { toastDone } from '@bourse/web';
import { CopyButton } from '../../../parts/copy-button.js';
import { LoginPasswordField } from '../../../forms/login-password-field.js';
import { TotpField } from '../../../forms/totp-field.js';
import { useForm } from '../../../forms/use-form.js';
import { totpDisable, totpEnable, totpSetup } from '../api/account.js';
import { totpProblems } from '../model/forms.js';
import { FormDialog } from '../../../forms/form-dialog.js';
import { Failed } from '../../../parts/failed.js';

export default function TotpDialog({ enabled, onClose }: { enabled: boolean; onClose: () => void }) {
  return enabled ? <SwitchOff onClose={onClose} /> : <SetUp onClose={onClose} />;
}

/** The secret as a picture and as text, and one code to prove that the app has it. */
function SetUp({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  // Each opening makes a new secret: the last one is the one that counts.
  const setup = useQuery({
    queryKey: [...keys.user, 'totp-setup'],
    gcTime: 0,
    staleTime: Infinity,
    meta: MAKES,
    queryFn: () => totpSetup(api),
  });
  const [code, setCode] = useState('');
  const problems = totpProblems({ code });
  const submission = useForm(problems, async () => {
    await totpEnable(api, code);
    await loadInfo();
    toastDone(t('security.totpOn'));
    onClose();
  });
  return (
    <FormDialog
      title={t('security.totp')}
      description={t('security.totpText')}
      submission={submission}
      action={t('security.switchOn')}
      onClose={onClose}
    >
      {setup.isError ? (
        <Failed retry={() => void setup.refetch()} />
      ) : (
        <div className="flex flex-col items-center gap-3">
          {setup.data ? (
            <span className="bg-[#fff] p-2">
              <QRCodeSVG value={setup.data.otpauth_url} size={160} title={t('security.totpQr')} />
            </span>
          ) : (
            <Skeleton className="size-44" />
          )}
          {setup.data ? (
            <p className="flex flex-wrap items-center justify-center gap-2 text-table">
              <span className="text-t2">{t('security.totpSecret')}</span>
              <Num className="font-mono break-all">{setup.data.secret}</Num>
              <CopyButton text={setup.data.secret} what={t('security.totpSecret')} />
            </p>
          ) : (
            <Skeleton className="h-7 w-56" />
          )}
        </div>
      )}
      <TotpField name="totp_code" value={code} onChange={setCode} error={submission.shown(problems.code)} />
    </FormDialog>
  );
}

function SwitchOff({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const problems = totpProblems({ code, password });
  const submission = useForm(problems, async () => {
    await totpDisable(api, code, password);
    await loadInfo();
    toastDone(t('security.totpOff'));
    onClose();
  });
  return (
    <FormDialog
      title={t('security.totp')}
      description={t('security.totpOffText')}
      submission={submission}
      action={t('security.switchOff')}
      kind="danger"
      onClose={onClose}
    >
      <TotpField name="totp_code" value={code} onChange={setCode} error={submission.shown(problems.code)} />
      <LoginPasswordField value={password} onChange={setPassword} error={submission.shown(problems.password)} />
    </FormDialog>
  );
}
