import { useTranslation } from 'react-i18next';
import { directionOf, fixed, grouped, NO_NUMBER, Stat } from '@bourse/ui';
import type { PracticeResult } from '../../model/practice/result.js';

/** The figures of a practice, money in the quote coin. */
export function PracticeFigures({ result, coin }: { result: PracticeResult; coin: string }) {
  const { t } = useTranslation();
  const money = (text: string): string => grouped(fixed(text, 2));
  const signed = (text: string): string => (directionOf(text) > 0 ? '+' : '') + money(text);
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-6 gap-y-4">
      <Stat label={t('practice.profit')} value={signed(result.profit)} unit={coin} change={result.profitPercent} />
      <Stat
        label={t('practice.holding')}
        value={signed(result.holdProfit)}
        unit={coin}
        change={result.holdPercent}
        hint={t('practice.holdingHint')}
      />
      <Stat label={t('practice.equity')} value={money(result.equity)} unit={coin} />
      <Stat
        label={t('practice.drawdown')}
        value={money(result.drawdown)}
        unit={coin}
        hint={<bdi dir="ltr">{result.drawdownPercent}%</bdi>}
      />
      <Stat label={t('practice.fees')} value={money(result.fees)} unit={coin} />
      <Stat label={t('orders.fills')} value={String(result.fills)} />
      <Stat
        label={t('practice.wins')}
        value={result.winPercent === '' ? NO_NUMBER : `${result.winPercent}%`}
        hint={t('practice.winsHint')}
      />
    </div>
  );
}
