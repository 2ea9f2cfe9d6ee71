import { useTranslation } from 'react-i18next';
import type { Ad } from '@bourse/contract';
import { Segmented } from '@bourse/ui';
import { useLegalCoins } from '../api/ads.js';

/** The side of listed ads or deals; empty: both. */
export type SideFilter = Ad['type'] | '';

/** Chooses a side, or both. */
export function SideChoice({
  value,
  sides = ['buy', 'sell'],
  onChange,
}: {
  value: SideFilter;
  sides?: readonly Ad['type'][];
  onChange: (side: SideFilter) => void;
}) {
  const { t } = useTranslation();
  return (
    <Segmented<SideFilter>
      label={t('deals.sideName')}
      value={value}
      choices={[
        { value: '', label: t('common.all') },
        ...sides.map((side) => ({ value: side, label: t(`deals.side.${side}`) })),
      ]}
      onChange={onChange}
    />
  );
}

/** Chooses a coin by its id; 0: all coins. */
export function CoinChoice({ value, onChange }: { value: number; onChange: (id: number) => void }) {
  const { t } = useTranslation();
  const { coins } = useLegalCoins();
  return (
    <Segmented
      label={t('common.coin')}
      value={String(value)}
      choices={[
        { value: '0', label: t('common.all') },
        ...(coins ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      onChange={(id) => onChange(Number(id))}
    />
  );
}
