import { useTranslation } from 'react-i18next';
import type { MicroReceipt } from '@bourse/contract';
import { atMost, cx, DescriptionList, directionOf, grouped, NO_NUMBER, Num, Panel } from '@bourse/ui';
import { Time } from '../../../parts/time.js';
import { netResult } from '../../../core/micro-result.js';
import { durationText } from './duration-text.js';
import { signed } from './signed.js';
import { Way } from './way.js';

/** The terms and the result of a contract, with the public ids of its journals. */
export function ReceiptOrder({ receipt: { order, end_price: end, payout, journals } }: { receipt: MicroReceipt }) {
  const { t } = useTranslation();
  const money = (text: string): string => `${grouped(atMost(text, 8))} ${order.currency_name}`;
  const price = (text: string): string => (text === '' ? NO_NUMBER : grouped(text));
  const way = directionOf(netResult(order));
  return (
    <Panel className="flex flex-col gap-4 p-4">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="flex items-center gap-2 text-title font-semibold">
          <Num>{order.symbol_name}</Num> <Way type={order.type} />
        </h2>
        {order.result !== '' && (
          <p className={cx('text-title font-semibold', way > 0 && 'text-up', way < 0 && 'text-down')}>
            {t(`micro.result.${order.result}`)} <Num>{`${signed(netResult(order))} ${order.currency_name}`}</Num>
          </p>
        )}
      </div>
      <div className="grid gap-x-10 gap-y-2 md:grid-cols-2">
        <DescriptionList
          facts={[
            { id: 'id', name: t('micro.number'), value: <Num>{order.id}</Num> },
            { id: 'duration', name: t('micro.duration'), value: durationText(t, order.seconds) },
            { id: 'stake', name: t('micro.stake'), value: <Num>{money(order.number)}</Num> },
            { id: 'fee', name: t('orders.fee'), value: <Num>{money(order.fee)}</Num> },
            { id: 'rate', name: t('micro.profitRate'), value: <Num>{`+${atMost(order.profit_ratio, 6)} %`}</Num> },
            { id: 'payout', name: t('micro.payout'), value: <Num>{money(payout)}</Num> },
          ]}
        />
        <DescriptionList
          facts={[
            { id: 'create', name: t('micro.taken'), value: <Time>{order.create_time}</Time> },
            { id: 'opened', name: t('micro.opened'), value: <Time>{order.open_time}</Time> },
            { id: 'open', name: t('micro.open'), value: <Num>{price(order.open_price)}</Num> },
            { id: 'expire', name: t('micro.expires'), value: <Time>{order.expire_time}</Time> },
            { id: 'end', name: t('micro.end'), value: <Num>{price(end)}</Num> },
            {
              id: 'journals',
              name: t('micro.journals'),
              value: <Num className="break-all">{journals.join(' ') || NO_NUMBER}</Num>,
            },
          ]}
        />
      </div>
    </Panel>
  );
}
