import { useTranslation } from 'react-i18next';
import type { QuotationItem } from '@bourse/contract';
import type { ReactNode } from 'react';
import { cx, Tabs } from '@bourse/ui';
import type { BookPick } from '../../../market/book/ladder-rows.js';
import type { PriceOrder } from '../../../market/chart/price-orders.js';
import type { MarketBlock } from '../../../market/stream/market-block.js';
import type { PairStream } from '../../../market/stream/pair-stream.js';
import type { Mode, Percent, Side } from '../model/ticket.js';
import type { ArmedOrders } from './armed-orders.js';
import type { TicketAccount } from './ticket-account.js';
import { SideForm } from './side-form.js';

export interface TicketProps {
  account: TicketAccount;
  pair: QuotationItem;
  stream: PairStream;
  side: Side;
  onSide: (side: Side) => void;
  /** A price chosen in the book, or an order begun on the chart; a new object each time. */
  pick: TicketPick | undefined;
  /** Why orders cannot be sent now; undefined when they can. */
  blocked: MarketBlock | undefined;
  /** The request of a key to the form in front; a new object each time. */
  command?: TicketCommand | undefined;
  /** Absent where keys send no orders. */
  armedOrders?: ArmedOrders;
  onPlaced?: () => void;
  /** Stands above the forms. */
  note?: ReactNode;
}
export type TicketPick = BookPick | PriceOrder;
export type TicketCommand = { readonly mode: Mode } | { readonly percent: Percent };

/** Buy and sell forms; each side keeps what was typed into it. */
export function OrderTicket(props: TicketProps) {
  const { t } = useTranslation();
  const { pair, side, onSide, note } = props;
  return (
    <div className="flex flex-col">
      {note}
      <Tabs
        label={t('ticket.side')}
        value={side}
        onChange={onSide}
        tabs={[
          { id: 'buy', label: <span className={cx(side === 'buy' && 'text-up')}>{t('ticket.buy')}</span> },
          { id: 'sell', label: <span className={cx(side === 'sell' && 'text-down')}>{t('ticket.sell')}</span> },
        ]}
      />
      {(['buy', 'sell'] as const).map((which) => (
        <div key={`${pair.symbol} ${which}`} hidden={which !== side}>
          <SideForm {...props} which={which} />
        </div>
      ))}
    </div>
  );
}
