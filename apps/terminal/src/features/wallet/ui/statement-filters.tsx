import { useTranslation } from 'react-i18next';
import { Button, Checkbox, DateField, Segmented, Select } from '@bourse/ui';
import { knownServerNow } from '../../../core/server-time.js';
import { spanText } from '../../../core/span-text.js';
import { useWallet } from '../../../core/wallet.js';
import {
  CAUSES,
  chooseCause,
  choosePeriod,
  NO_FILTER,
  PERIODS,
  STATEMENT_ACCOUNTS,
  type Period,
  type StatementFilter,
} from '../model/statement.js';
import { ACCOUNT_TEXT } from '../model/wallet.js';

/** Period, account, coin and cause of the statement, and whether holds are shown. */
export function StatementFilters({
  filter,
  turned,
  onChange,
}: {
  filter: StatementFilter;
  turned: boolean;
  onChange: (filter: StatementFilter) => void;
}) {
  const { t } = useTranslation();
  const { wallet } = useWallet();
  const set = (change: Partial<StatementFilter>): void => onChange({ ...filter, ...change });
  const all = { value: '', label: t('common.all') };
  const when = (side: 'from' | 'to', label: string) => (
    <DateField
      withTime
      label={label}
      value={filter[side]}
      wrongText={(example) => t('common.dateWrong', { example })}
      aria-invalid={turned || undefined}
      onDate={(date) => set({ [side]: date, period: 'own' })}
      className="max-md:col-span-2"
    />
  );
  return (
    <div role="group" aria-label={t('wallet.filter')} className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Segmented<Period>
          label={t('wallet.equitySpan')}
          value={filter.period}
          onChange={(period) => onChange(choosePeriod(filter, period, knownServerNow()))}
          choices={PERIODS.map((value) => ({ value, label: value === 'all' ? t('common.all') : periodName(value) }))}
        />
        <Checkbox
          label={t('wallet.showHolds')}
          checked={filter.holds}
          onChange={({ target }) => set({ holds: target.checked })}
        />
      </div>
      <div
        className={
          'grid grid-cols-2 gap-3 lg:grid-cols-3 ' +
          'xl:grid-cols-[repeat(3,minmax(0,1fr))_repeat(2,minmax(12.5rem,1fr))_auto]'
        }
      >
        <Select
          label={t('wallet.account')}
          value={filter.account}
          onChange={(account) => set({ account })}
          options={[all, ...STATEMENT_ACCOUNTS.map((value) => ({ value, label: t(ACCOUNT_TEXT[value]) }))]}
        />
        <Select
          label={t('common.coin')}
          value={filter.currency}
          onChange={(currency) => set({ currency })}
          options={[
            all,
            ...(wallet?.change_wallet.balance ?? []).map((coin) => ({
              value: String(coin.currency),
              label: coin.currency_name,
            })),
          ]}
        />
        <Select
          label={t('wallet.cause')}
          value={filter.cause}
          onChange={(cause) => onChange(chooseCause(filter, cause))}
          options={[all, ...Object.entries(CAUSES).map(([value, text]) => ({ value, label: t(text) }))]}
        />
        {when('from', t('wallet.filterFrom'))}
        {when('to', t('wallet.filterTo'))}
        <div className="flex items-end">
          <Button
            kind="quiet"
            disabled={JSON.stringify(filter) === JSON.stringify(NO_FILTER)}
            onClick={() => onChange(NO_FILTER)}
          >
            {t('wallet.filterClear')}
          </Button>
        </div>
      </div>
    </div>
  );
}

/** A period in the reader's language: hours, days, or the number of the present year. */
function periodName(period: Exclude<Period, 'all' | 'own'>): string {
  switch (period) {
    case 'day':
      return spanText(24, 'hour');
    case 'week':
      return spanText(7, 'day');
    case 'month':
      return spanText(30, 'day');
    case 'year':
      return choosePeriod(NO_FILTER, 'year', knownServerNow()).from.slice(0, 4);
  }
}
