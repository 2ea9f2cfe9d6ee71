import { useTranslation } from 'react-i18next';
import type { SavingsConfig } from '@bourse/contract';
import { DescriptionList, Num, Panel, Table } from '@bourse/ui';
import { barsOf, type AccrualDay, type Outcome } from '../model/savings.js';
import { dayText, money, rateText } from './money.js';

const SIZE = { width: 640, height: 140 };

/** The outcome of a term before it is subscribed: the sums, a picture, and every day of it. */
export function OutcomePanel({
  amount,
  coin,
  config,
  outcome,
}: {
  amount: string;
  coin: string;
  config: SavingsConfig;
  outcome: Outcome;
}) {
  const { t } = useTranslation();
  return (
    <Panel className="flex min-w-0 flex-col">
      <h2 className="border-b border-line px-4 py-3 text-title font-semibold">{t('savings.outcome')}</h2>
      <div className="flex flex-col gap-4 p-4">
        <OutcomeFacts amount={amount} coin={coin} config={config} outcome={outcome} />
        <AccrualPicture days={outcome.days} coin={coin} />
      </div>
      <Table
        label={t('savings.byDay')}
        className="max-h-80 border-t border-line"
        cards={false}
        rows={outcome.days}
        rowKey={({ day }) => String(day)}
        empty=""
        columns={[
          { id: 'day', header: t('savings.day'), cell: ({ day }) => <Num>{day}</Num> },
          { id: 'at', header: t('savings.fullAt'), cell: ({ at }) => <Num>{dayText(at)}</Num> },
          {
            id: 'accrued',
            header: `${t('savings.accrued')} (${coin})`,
            end: true,
            cell: ({ accrued }) => <Num>{accrued}</Num>,
          },
        ]}
      />
    </Panel>
  );
}

/** The sums of a term, in the panel and in the question before it is sent. */
export function OutcomeFacts({
  amount,
  coin,
  config,
  outcome,
}: {
  amount: string;
  coin: string;
  config: SavingsConfig;
  outcome: Outcome;
}) {
  const { t } = useTranslation();
  const fact = (id: string, name: string, value: string) => ({ id, name, value: <Num>{value}</Num> });
  return (
    <DescriptionList
      facts={[
        fact('amount', t('wallet.quantity'), money(amount, coin)),
        fact('rate', t('savings.rate'), rateText(config.interest_rate)),
        fact('start', t('savings.start'), `${dayText(outcome.start)} 00:00 UTC`),
        fact('end', t('savings.end'), `${dayText(outcome.end)} 00:00 UTC`),
        fact('profit', t('savings.profit'), `+${money(outcome.profit, coin)}`),
        fact('total', t('savings.total'), money(outcome.total, coin)),
        fact('cancel', t('savings.cancelFee'), money(outcome.cancelFee, coin)),
      ]}
    />
  );
}

/** Accrued interest by day as bars; the table below says the same in figures. */
function AccrualPicture({ days, coin }: { days: readonly AccrualDay[]; coin: string }) {
  const { t } = useTranslation();
  const last = days.at(-1);
  return (
    <svg
      role="img"
      aria-label={t('savings.picture', {
        first: money(days[0]?.accrued ?? '0', coin),
        last: money(last?.accrued ?? '0', coin),
        days: days.length,
      })}
      viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
      preserveAspectRatio="none"
      className="h-28 w-full rounded-panel bg-bg2"
      direction="ltr"
    >
      {barsOf(days).map(({ x, width, height }, at) => (
        <rect
          key={days[at]?.day}
          x={x * SIZE.width}
          width={width * SIZE.width}
          y={SIZE.height * (1 - height * 0.9)}
          height={SIZE.height * height * 0.9}
          className="fill-info"
        />
      ))}
    </svg>
  );
}
