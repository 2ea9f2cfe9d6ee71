import { useTranslation } from 'react-i18next';
import type { MicroCurrency, MicroSeconds } from '@bourse/contract';
import { atMost, DescriptionList, grouped, NO_NUMBER, Num } from '@bourse/ui';
import type { StakeHandle } from './use-stake.js';

/** Balance, cost, possible profit and loss: before the press (terminal rule 14). */
export function StakeFigures({
  form: { available, insured, summary },
  currency,
  duration,
}: {
  form: StakeHandle;
  currency: MicroCurrency | undefined;
  duration: MicroSeconds | undefined;
}) {
  const { t } = useTranslation();
  const coin = currency?.name ?? '';
  const money = (text: string, sign = ''): string =>
    text === '' ? NO_NUMBER : `${sign}${grouped(atMost(text, 8))} ${coin}`;
  return (
    <DescriptionList
      facts={[
        {
          id: 'available',
          name: t(insured ? 'micro.vaultLeft' : 'ticket.available'),
          value: available === undefined ? undefined : <Num>{money(available)}</Num>,
        },
        {
          id: 'fee',
          name: t('micro.feeOf', { rate: atMost(currency?.micro_trade_fee ?? '0', 6) }),
          value: <Num>{money(summary.fee)}</Num>,
        },
        {
          id: 'win',
          name: `${t('micro.ifWon', { rate: atMost(duration?.profit_ratio ?? '0', 6) })}, ${t('micro.afterFee')}`,
          value: <Num className="text-up">{money(summary.win, '+')}</Num>,
        },
        {
          id: 'lose',
          name: `${t('micro.ifLost')}, ${t('micro.afterFee')}`,
          value: <Num className="text-down">{money(summary.lose, '-')}</Num>,
        },
      ]}
    />
  );
}
