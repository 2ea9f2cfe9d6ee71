import { useTranslation } from 'react-i18next';
import type { CoinBalance } from '@bourse/contract';
import { Select, Skeleton } from '@bourse/ui';

/** The coin of the page. */
export function CoinSelect({
  coins,
  value,
  onChange,
  all = false,
}: {
  coins: readonly CoinBalance[] | undefined;
  value: number | undefined;
  onChange: (id: number) => void;
  /** Offers "all coins" as 0. */ all?: boolean;
}) {
  const { t } = useTranslation();
  if (!coins) return <Skeleton className="h-15 w-44" />;
  return (
    <Select
      className="w-44"
      label={t('common.coin')}
      value={String(value ?? 0)}
      onChange={(id) => onChange(Number(id))}
      options={[
        ...(all ? [{ value: '0', label: t('common.all') }] : []),
        ...coins.map((coin) => ({ value: String(coin.currency), label: coin.currency_name })),
      ]}
    />
  );
}
