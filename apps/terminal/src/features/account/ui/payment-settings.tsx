import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { PaymentInfo } from '@bourse/contract';
import { Button, Field, Panel, Skeleton } from '@bourse/ui';
import { api, queryClient } from '../../../core/api.js';
import { toastDone } from '@bourse/web';
import { useWayBack } from '../../../core/way-back.js';
import { FormError } from '../../../forms/form-card.js';
import { PasswordField } from '../../../forms/password-field.js';
import { useForm } from '../../../forms/use-form.js';
import { KEYS, payment, savePayment } from '../api/account.js';
import { PAYMENT_FIELDS, paymentProblems, paymentTexts, type PaymentText } from '../model/forms.js';
import { photoUrl, storedPhoto } from '../../../parts/photo.js';
import { Failed } from '../../../parts/failed.js';
import { PageTitle } from './parts.js';
import { PhotoField } from '../../../parts/photo-field.js';

const LABELS: Record<PaymentText, string> = {
  real_name: 'bank.real_name',
  bank_name: 'bank.bank_name',
  bank_account: 'bank.bank_no',
  alipay_account: 'payForm.alipayAccount',
  wechat_account: 'payForm.wechatAccount',
  wechat_nickname: 'payForm.wechatNickname',
};
/** Numbers and account names read from left to right in every language. */
const LATIN: ReadonlySet<PaymentText> = new Set(['bank_account', 'alipay_account', 'wechat_account']);
const CODES = { alipay: 'payForm.alipayCode', wechat: 'payForm.wechatCode' } as const;
const GROUPS: readonly { title: string; fields: readonly PaymentText[]; photo?: 'alipay' | 'wechat' }[] = [
  { title: 'payForm.bank', fields: ['real_name', 'bank_name', 'bank_account'] },
  { title: 'payForm.alipay', fields: ['alipay_account'], photo: 'alipay' },
  { title: 'payForm.wechat', fields: ['wechat_account', 'wechat_nickname'], photo: 'wechat' },
];

/** The accounts that others pay this person to. The first save is free; each later one asks for the fund password. */
export default function PaymentSettings() {
  const { t } = useTranslation();
  const info = useQuery({ queryKey: KEYS.payment, queryFn: () => payment(api), staleTime: Infinity });
  const [saves, setSaves] = useState(0);
  const readSaved = async (): Promise<void> => {
    await queryClient.invalidateQueries({ queryKey: KEYS.payment });
    if (queryClient.getQueryState(KEYS.payment)?.isInvalidated === false) setSaves(saves + 1);
  };
  return (
    <>
      <PageTitle lead={t('payForm.lead')}>{t('nav.payment')}</PageTitle>
      {info.data !== undefined ? (
        // The form keeps what is typed while the settings are read again, until it is saved.
        <PaymentForm key={saves} info={info.data} onSaved={readSaved} />
      ) : (
        <Panel>
          {info.isError ? (
            <Failed retry={() => void info.refetch()} />
          ) : (
            <div className="flex flex-col gap-4 p-4">
              <Skeleton className="h-32 w-full" />
              <Skeleton className="h-48 w-full" />
              <Skeleton className="h-48 w-full" />
            </div>
          )}
        </Panel>
      )}
    </>
  );
}

function PaymentForm({ info, onSaved }: { info: PaymentInfo | null; onSaved: () => Promise<void> }) {
  const { t } = useTranslation();
  const { known, goBack } = useWayBack('/userSetting');
  const [texts, setTexts] = useState(() => paymentTexts(info));
  const [alipay, setAlipay] = useState(() => storedPhoto(info?.alipay_collect ?? ''));
  const [wechat, setWechat] = useState(() => storedPhoto(info?.wechat_collect ?? ''));
  const [password, setPassword] = useState('');
  const needsPassword = info !== null;
  const problems = paymentProblems({ texts, alipay, wechat, password, needsPassword });
  const { shown, busy, refusal, submit } = useForm(problems, async () => {
    await savePayment(api, {
      texts: Object.fromEntries(PAYMENT_FIELDS.map((name) => [name, texts[name].trim()])) as Record<
        PaymentText,
        string
      >,
      alipay: photoUrl(alipay),
      wechat: photoUrl(wechat),
      password,
    });
    toastDone(t('security.saved'));
    await onSaved();
    return known ? goBack() : 'stay';
  });
  const photos = { alipay: { photo: alipay, onPhoto: setAlipay }, wechat: { photo: wechat, onPhoto: setWechat } };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void submit();
  };
  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
      {GROUPS.map(({ title, fields, photo }) => (
        <Panel key={title} label={t(title)} className="p-4">
          <h2 className="mb-3 text-title font-semibold">{t(title)}</h2>
          <div className="grid gap-4 md:grid-cols-2">
            <div className="flex flex-col gap-4">
              {fields.map((name) => (
                <Field
                  key={name}
                  name={name}
                  label={t(LABELS[name])}
                  value={texts[name]}
                  maxLength={64}
                  autoComplete="off"
                  {...(LATIN.has(name) ? { dir: 'ltr' as const } : {})}
                  error={shown(problems[name])}
                  onChange={(event) => setTexts({ ...texts, [name]: event.target.value })}
                />
              ))}
            </div>
            {photo && (
              <div className="max-w-72">
                <PhotoField scene="pay" label={t(CODES[photo])} {...photos[photo]} error={shown(problems[photo])} />
              </div>
            )}
          </div>
        </Panel>
      ))}
      <Panel className="flex flex-col gap-4 p-4">
        {needsPassword && (
          <PasswordField
            className="max-w-72"
            name="password"
            label={t('account.fundPassword')}
            hint={t('payForm.passwordHint')}
            value={password}
            maxLength={6}
            autoComplete="off"
            error={shown(problems.password)}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
        <FormError>{refusal}</FormError>
        <div>
          <Button kind="primary" size="main" type="submit" busy={busy} className="max-md:w-full">
            {t('security.save')}
          </Button>
        </div>
      </Panel>
    </form>
  );
}
