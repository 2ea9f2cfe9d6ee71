import { useTranslation } from 'react-i18next';
import { COIN_CODES, WAYS, type Coin, type CoinCode, type Way } from '@bourse/contract';
import { Segmented, Select } from '@bourse/ui';
import { NumberField } from '../../parts/number-field.js';
import { PRICE_SCALE, type Side } from '../model/ad.js';

/** The filters of a market. Empty texts: no filter. */
export interface MarketChoice {
  readonly side: Side;
  readonly coin: number | undefined;
  readonly code: CoinCode | '';
  readonly way: Way | '';
  readonly money: string;
}

/** Buy or sell, the coin, the fiat currency, the way of payment and the amount that one has or wants. */
export function MarketFilters({
  coins,
  choice,
  onChange,
}: {
  coins: readonly Coin[];
  choice: MarketChoice;
  onChange: (change: Partial<MarketChoice>) => void;
}) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-3 border-b border-line p-4">
      <div className="flex flex-wrap items-center gap-3">
        <Segmented<Side>
          label={t('deals.sideName')}
          value={choice.side}
          choices={(['buy', 'sell'] as const).map((value) => ({ value, label: t(`deals.side.${value}`) }))}
          onChange={(side) => onChange({ side })}
        />
        <Segmented
          label={t('common.coin')}
          value={String(choice.coin ?? '')}
          choices={coins.map(({ id, name }) => ({ value: String(id), label: name }))}
          onChange={(id) => onChange({ coin: Number(id) })}
        />
        <Segmented<CoinCode | ''>
          label={t('deals.fiat')}
          value={choice.code}
          choices={[
            { value: '', label: t('common.all') },
            ...COIN_CODES.map((value) => ({ value, label: value as string })),
          ]}
          onChange={(code) => onChange({ code })}
        />
      </div>
      <div className="flex flex-wrap items-end gap-3">
        <NumberField
          className="min-w-0 flex-1 basis-40 md:max-w-60"
          label={t('deals.amountFilter')}
          scale={PRICE_SCALE}
          value={choice.money}
          onTyped={(money) => onChange({ money })}
          suffix={choice.code}
        />
        <Select<Way | ''>
          className="min-w-0 flex-1 basis-40 md:max-w-60"
          label={t('deals.way')}
          value={choice.way}
          onChange={(way) => onChange({ way })}
          options={[
            { value: '', label: t('common.all') },
            ...WAYS.map((value) => ({ value, label: t(`deals.way.${value}`) })),
          ]}
        />
      </div>
    </div>
  );
}
