import { useTranslation } from 'react-i18next';
import { Select } from '@bourse/ui';
import type { DealType } from '../model/acceptors.js';

/** Deposits, withdrawals, or both. */
export function TypeSelect({ value, onChange }: { value: DealType | ''; onChange: (value: DealType | '') => void }) {
  const { t } = useTranslation();
  return (
    <Select<DealType | ''>
      className="w-40"
      label={t('acc.kind')}
      value={value}
      onChange={onChange}
      options={[
        { value: '', label: t('common.all') },
        { value: 'buy', label: t('wallet.causes.deposit') },
        { value: 'sell', label: t('wallet.causes.withdrawal') },
      ]}
    />
  );
}
