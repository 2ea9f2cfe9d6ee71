import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuotationItem } from '@bourse/contract';
import { atMost, formatBalance, formatBookPrice, formatChange, grouped, Num } from '@bourse/ui';
import { usePairWorth } from '../../../market/pair/scales.js';
import { isMarket } from '../model/ticket.js';
import type { SpotTicket } from './use-spot-ticket.js';

/** The balance, the cost or yield of the order, and the fee. */
export function TicketFigures({
  form: { ticket, summary, available },
  pair: { symbol, legal_name: quote, currency_name: base, price_scale: priceScale },
  guest,
}: {
  form: SpotTicket;
  pair: QuotationItem;
  guest: boolean;
}) {
  const { t } = useTranslation();
  const worth = usePairWorth();
  const buy = ticket.side === 'buy';
  const price = (text: string): string => `${formatBookPrice(text, priceScale)} ${quote}`;
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-table">
      <Line name={t('ticket.available')}>
        {!guest && `${available === undefined ? '…' : formatBalance(available)} ${buy ? quote : base}`}
      </Line>
      {isMarket(ticket) && (
        <Line name={t('ticket.estimated')}>
          {summary.total !== '' && `≈ ${grouped(atMost(summary.total, 4))} ${quote}`}
        </Line>
      )}
      <Line name={t('orders.worth')}>{worth(symbol, summary.total) || false}</Line>
      {ticket.kind === 'market' && (
        <>
          <Line name={t('ticket.meanPrice')}>{summary.meanPrice !== '' && price(summary.meanPrice)}</Line>
          <Line name={t('ticket.worstPrice')}>{summary.price !== '' && price(summary.price)}</Line>
          <Line name={t('ticket.slippage')}>{summary.gapPercent !== '' && formatChange(summary.gapPercent)}</Line>
        </>
      )}
      <Line name={t('ticket.fee')}>{summary.fee !== '' && `${grouped(summary.fee)} ${buy ? base : quote}`}</Line>
      {summary.shown !== '' && ticket.kind === 'market' && (
        <dd className="col-span-2 text-warn">
          {t('ticket.bookShown', { amount: `\u2066${summary.shown} ${base}\u2069` })}
        </dd>
      )}
    </dl>
  );
}

/** A name with its figure; a dash until the figure is known. */
const Line = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-t2">{name}</dt>
    <dd className="text-end">{children === false ? '–' : <Num>{children}</Num>}</dd>
  </>
);
