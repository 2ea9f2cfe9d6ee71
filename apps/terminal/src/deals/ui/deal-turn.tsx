import { Clock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Deal } from '@bourse/contract';
import { cx, Num, Panel, Stepper, timeOf } from '@bourse/ui';
import { countdown } from '../../parts/countdown.js';
import { useServerClock } from '../../parts/use-server-clock.js';
import { isOver, markAt, stateOf, stepOf, SURE, turnOf } from '../model/deal.js';
import { apart, coinText, fiatText, StateBadge } from './words.js';

/** The way of a deal: created, paid, released. A cancelled one says that it is. */
function DealSteps({ deal }: { deal: Pick<Deal, 'is_sure' | 'appeal'> }) {
  const { t } = useTranslation();
  if (deal.is_sure === SURE.cancelled) return <StateBadge deal={deal} />;
  return (
    <Stepper
      label={t('deals.steps')}
      doneLabel={t('deals.stepDone')}
      current={stepOf(deal)}
      steps={(['created', 'paid', 'released'] as const).map((id) => ({ id, title: t(`deals.step.${id}`) }))}
    />
  );
}

/** Time left by the exchange's clock. It is read out at ten minutes, one minute and ten seconds, not each second. */
export function DealCountdown({ deadline, className }: { deadline: string; className?: string }) {
  const { t } = useTranslation();
  const until = timeOf(deadline);
  const now = useServerClock(until !== undefined);
  if (until === undefined) return null;
  const left = until - now;
  const mark = markAt(left);
  return (
    <p className={cx('flex items-center gap-2', className)}>
      <Clock size={18} aria-hidden className="shrink-0" />
      <span>
        <span className="sr-only">{t('deals.timeLeft')} </span>
        <span className="text-last font-semibold">
          <Num>{countdown(left)}</Num>
        </span>
      </span>
      <span role="status" className="sr-only">
        {mark === '' ? '' : t(`deals.mark.${mark}`)}
      </span>
    </p>
  );
}

/**
 * The next step of a deal: the side that must act, the act, its deadline and the consequence of missing it (terminal
 * rule 13). The last two are the exchange's own words.
 */
export function DealTurn({ deal }: { deal: Deal }) {
  const { t } = useTranslation();
  const turn = turnOf(deal);
  const words = {
    money: apart(fiatText(deal.deal_money, deal.coin_code)),
    coins: apart(coinText(deal.number, deal.currency_name)),
  };
  const what =
    turn === 'over' || turn === 'exchange'
      ? t(`deals.state.${stateOf(deal)}`)
      : t(`deals.turn.${turn}.${deal.is_sure === SURE.paid ? 'release' : 'pay'}`, words);
  return (
    <Panel label={t('deals.now')} className={cx('flex flex-col gap-3 p-4', turn === 'you' && 'border-accent')}>
      <DealSteps deal={deal} />
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="text-title font-semibold">{what}</p>
        {!isOver(deal) && (
          <DealCountdown deadline={deal.deadline} className={turn === 'you' ? 'text-warn' : 'text-t2'} />
        )}
      </div>
      {deal.next !== '' && <p className="max-w-prose text-body text-t2">{deal.next}</p>}
    </Panel>
  );
}
