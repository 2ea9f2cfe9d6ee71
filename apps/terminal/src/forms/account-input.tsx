import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Field, latinDigits, Tabs } from '@bourse/ui';
import { api } from '../core/api.js';
import { current } from '../core/i18n.js';
import { countries } from './codes.js';
import { accountKind, areaDigits, type AccountKind } from './account-name.js';

export interface AccountValue {
  mode: AccountKind;
  account: string;
  areaCode: string;
  countryId: string;
}
export const NO_ACCOUNT: AccountValue = { mode: 'email', account: '', areaCode: '1', countryId: '' };
/** History state that fills in the account of a screen, as of the login after a registration. */
export interface KnownAccount {
  readonly account: string;
  readonly areaCode: string;
}
/** Reads the account from a history state; undefined for any other state. */
export function knownAccountIn(state: unknown): KnownAccount | undefined {
  const { account, areaCode } = (state ?? {}) as Partial<Record<keyof KnownAccount, unknown>>;
  return typeof account === 'string' && typeof areaCode === 'string' ? { account, areaCode } : undefined;
}

/** A form that starts with an account that is known already. */
export const prefilled = (account: string, areaCode = ''): AccountValue => ({
  ...NO_ACCOUNT,
  account,
  mode: account === '' ? 'email' : accountKind(account),
  areaCode: areaDigits(areaCode) || NO_ACCOUNT.areaCode,
});

/** E-mail address, or phone with its area code. Both keep what was typed when the tab changes. */
export function AccountInput({
  value,
  onChange,
  error,
}: {
  value: AccountValue;
  onChange: (value: AccountValue) => void;
  error: string | undefined;
}) {
  const { t } = useTranslation();
  const email = value.mode === 'email';
  return (
    <div className="flex flex-col gap-3">
      <Tabs
        label={t('account.account')}
        look="pill"
        value={value.mode}
        onChange={(mode) => onChange({ ...value, mode })}
        tabs={[
          { id: 'email', label: t('account.emailTab') },
          { id: 'mobile', label: t('account.phoneTab') },
        ]}
      />
      <div className="flex items-start gap-2">
        {!email && <AreaCodes value={value.areaCode} onChange={(areaCode) => onChange({ ...value, areaCode })} />}
        <Field
          className="min-w-0 flex-1"
          name="account"
          label={t(email ? 'account.email' : 'account.phone')}
          error={error}
          value={value.account}
          maxLength={64}
          type={email ? 'email' : 'tel'}
          autoComplete={email ? 'email' : 'tel-national'}
          dir="ltr"
          onChange={(event) =>
            onChange({ ...value, account: email ? event.target.value : latinDigits(event.target.value) })
          }
        />
      </div>
    </div>
  );
}

/** The countries by area code; the first is +1. */
export function AreaCodes({ value, onChange }: { value: string; onChange: (areaCode: string) => void }) {
  const { t } = useTranslation();
  const list = useCountries();
  return (
    <label className="flex w-28 shrink-0 flex-col gap-1">
      <span className="text-table text-t2">{t('account.areaCode')}</span>
      <select
        name="area_code"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="h-10 rounded-panel border border-line-strong bg-bg2 px-2 text-body text-t1"
      >
        {list === undefined && <option value={value}>{`\u2066+${value}\u2069`}</option>}
        {list?.map((country) => (
          <option key={country.id} value={country.code}>{`\u2066+${country.code}\u2069 ${country.name}`}</option>
        ))}
      </select>
    </label>
  );
}

export interface CountryOption {
  id: number;
  code: string;
  name: string;
}
/**
 * Countries under the name the reader knows: Chinese where the interface is Chinese, else English. One entry per code
 * and country.
 */
export function useCountries(): CountryOption[] | undefined {
  const chinese = current() === 'zh' || current() === 'hk';
  const { data } = useQuery({ queryKey: ['countries'], staleTime: Infinity, queryFn: () => countries(api) });
  return data?.map((country) => ({
    id: country.country_id,
    code: country.area_code.replace(/\D/g, ''),
    name: chinese ? country.name_cn : country.name_en,
  }));
}
