import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Center } from '@bourse/contract';
import { Button, Field, Num, Panel, Skeleton } from '@bourse/ui';
import { api, queryClient } from '../../../core/api.js';
import { toastDone } from '@bourse/web';
import { FormError } from '../../../forms/form-card.js';
import { useForm } from '../../../forms/use-form.js';
import { KEYS, saveBank } from '../api/account.js';
import { BANK_FIELDS, bankProblems, type BankField, type BankForm } from '../model/forms.js';
import { Failed } from '../../../parts/failed.js';
import { PageTitle, State } from './parts.js';
import { useCenter } from './use-center.js';

const LATIN: ReadonlySet<BankField> = new Set(['bank_no', 'phone']);
const LABELS: Record<BankField, string> = {
  real_name: 'bank.real_name',
  bank_no: 'bank.bank_no',
  bank_name: 'bank.bank_name',
  region: 'bank.region',
  phone: 'account.phone',
};
const NO_BANK: BankForm = { real_name: '', bank_no: '', bank_name: '', region: '', phone: '' };

/** The bank account: a form until one is bound, then what is bound, and a way to change it. */
export default function Bank() {
  const { t } = useTranslation();
  const center = useCenter();
  const [changing, setChanging] = useState(false);
  const bank = center.data?.bank ?? null;
  return (
    <>
      <PageTitle lead={t('bank.lead')}>{t('nav.bank')}</PageTitle>
      {!center.data ? (
        <Panel>
          {center.isError ? (
            <Failed retry={() => void center.refetch()} />
          ) : (
            <div className="flex flex-col gap-4 p-4">
              <Skeleton className="h-10 w-full" />
              <Skeleton className="h-10 w-full" />
              <Skeleton className="h-10 w-full" />
            </div>
          )}
        </Panel>
      ) : bank && !changing ? (
        <Bound bank={bank} onChange={() => setChanging(true)} />
      ) : (
        <BankFields
          start={bank ?? NO_BANK}
          onDone={() => setChanging(false)}
          {...(bank ? { onCancel: () => setChanging(false) } : {})}
        />
      )}
    </>
  );
}

function Bound({ bank, onChange }: { bank: NonNullable<Center['bank']>; onChange: () => void }) {
  const { t } = useTranslation();
  return (
    <Panel className="flex flex-col gap-4 p-4">
      <State good>{t('bank.bound')}</State>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        {BANK_FIELDS.map((name) => (
          <div key={name} className="contents">
            <dt className="text-t2">{t(LABELS[name])}</dt>
            <dd className="min-w-0 break-words">
              {LATIN.has(name) ? <Num>{bank[name]}</Num> : <bdi>{bank[name]}</bdi>}
            </dd>
          </div>
        ))}
      </dl>
      <div>
        <Button onClick={onChange}>{t('security.change')}</Button>
      </div>
    </Panel>
  );
}

function BankFields({ start, onDone, onCancel }: { start: BankForm; onDone: () => void; onCancel?: () => void }) {
  const { t } = useTranslation();
  const [form, setForm] = useState<BankForm>({ ...start });
  const problems = bankProblems(form);
  const { shown, busy, refusal, submit } = useForm(problems, async () => {
    await saveBank(api, Object.fromEntries(BANK_FIELDS.map((name) => [name, form[name].trim()])) as BankForm);
    toastDone(t('security.saved'));
    await queryClient.invalidateQueries({ queryKey: KEYS.center });
    onDone();
    return 'stay';
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      className="flex flex-col gap-4 rounded-panel border border-line bg-bg1 p-4"
    >
      <div className="grid gap-4 md:grid-cols-2">
        {BANK_FIELDS.map((name) => (
          <Field
            key={name}
            name={name}
            label={t(LABELS[name])}
            {...(name === 'region' ? { hint: t('bank.regionHint') } : {})}
            value={form[name]}
            maxLength={name === 'bank_no' ? 40 : 64}
            autoComplete={name === 'phone' ? 'tel' : name === 'real_name' ? 'name' : 'off'}
            {...(LATIN.has(name) ? { dir: 'ltr' as const } : {})}
            error={shown(problems[name])}
            onChange={(event) => setForm({ ...form, [name]: event.target.value })}
          />
        ))}
      </div>
      <FormError>{refusal}</FormError>
      <div className="flex gap-2">
        <Button kind="primary" size="main" type="submit" busy={busy}>
          {t('security.save')}
        </Button>
        {onCancel && (
          <Button size="main" disabled={busy} onClick={onCancel}>
            {t('common.cancel')}
          </Button>
        )}
      </div>
    </form>
  );
}
