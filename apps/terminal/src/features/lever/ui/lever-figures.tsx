import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { LeverDeal, LeverPreview, QuotationItem } from '@bourse/contract';
import {
  atMost,
  cx,
  DescriptionList,
  fixed,
  formatBalance,
  formatBookPrice,
  grouped,
  Num,
  type Fact,
} from '@bourse/ui';
import { countdown } from '../../../parts/countdown.js';
import { useServerClock } from '../../../parts/use-server-clock.js';
import { nightFeeOf, untilNightFee } from '../model/night-fee.js';
import { riskLevel } from '../model/positions.js';
import type { LeverForm } from './use-lever-ticket.js';

const TONE = { none: '', safe: 'text-up', watch: 'text-warn', danger: 'text-down' } as const;

/** The price at which a position is liquidated; one so small against its account that none does says so. */
export const liquidationText = (t: TFunction, price: string, scale: number): string =>
  /[1-9]/.test(price) ? formatBookPrice(price, scale) : t('lever.noLiquidation');

/** The cost and the effects of the order, by the engine's preview or its formulas. */
export function previewFacts(
  t: TFunction,
  preview: LeverPreview | undefined,
  deal: Pick<LeverDeal, 'burst_rate' | 'overnight'> | undefined,
  pair: Pick<QuotationItem, 'price_scale' | 'number_scale' | 'legal_name' | 'currency_name'>,
): Fact[] {
  const asked = preview && /[1-9]/.test(preview.number) ? preview : undefined;
  const fact = (id: string, text: string | undefined): Fact => ({
    id,
    name: t(`lever.${id}`),
    value: <Num>{text ?? '–'}</Num>,
  });
  const money = (text: string | undefined) => text && `${grouped(atMost(text, 8))} ${pair.legal_name}`;
  const price = (text: string | undefined) => text && formatBookPrice(text, pair.price_scale);
  const level = asked ? riskLevel(asked.hazard_rate, deal?.burst_rate ?? '110') : 'none';
  return [
    fact('openPrice', price(asked?.price)),
    fact('value', money(asked?.contract_value)),
    fact('margin', money(asked?.caution_money)),
    fact('fee', money(asked?.trade_fee)),
    {
      id: 'nightFee',
      name: t('lever.nightFee'),
      value: (
        <>
          <Num>{money(asked && deal && nightFeeOf(asked, deal, pair)) ?? '–'}</Num>
          <NightFeeTime />
        </>
      ),
    },
    fact('liquidation', asked && liquidationText(t, asked.liquidation_price, pair.price_scale)),
    {
      id: 'rateAfter',
      name: t('lever.rateAfter'),
      value: asked ? (
        <span className={cx(TONE[level])}>
          <Num>{`${fixed(asked.hazard_rate, 2)}%`}</Num> {t(`lever.risk.${level}`)}
        </span>
      ) : (
        '–'
      ),
    },
  ];
}

/** Counts down to the next night fee, by the clock of the exchange. */
function NightFeeTime() {
  const { t } = useTranslation();
  const left = countdown(untilNightFee(useServerClock()));
  return <span className="block text-label text-t2">{t('lever.nightFeeIn', { time: `\u2066${left}\u2069` })}</span>;
}

/** Balance and figures under the form. */
export function LeverFigures({ form: { deal, preview }, pair }: { form: LeverForm; pair: QuotationItem }) {
  const { t } = useTranslation();
  const available = deal && `${formatBalance(deal.user_lever)} ${pair.legal_name}`;
  return (
    <DescriptionList
      facts={[
        { id: 'available', name: t('ticket.available'), value: available && <Num>{available}</Num> },
        ...previewFacts(t, preview, deal, pair),
      ]}
    />
  );
}
