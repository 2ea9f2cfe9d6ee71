import { TOPICS, UserNoticesV1, type TypedNotice } from '@bourse/events';
import type { Emission } from '@bourse/persistence';
import { type Market, type Order, meanPrice, numberText } from '@bourse/matching';

/** The terminal's list of orders. */
export const ORDERS_LINK = '/accountEntrust';

/** Notices of one message: it stays far below the largest that the log takes. */
const NOTICES_MAX = 500;

/**
 * A notice for each completely filled order, and the other notices of a batch, in as few messages as possible. They are
 * built from numbers that were checked when they came in, and the service of notices decodes them.
 */
export function filledNotices(filled: ReadonlyMap<Order, Market>, others: readonly TypedNotice[] = []): Emission[] {
  const ofFilled = [...filled].map(([order, market]): TypedNotice => ({
    userId: order.userId,
    id: `order:${order.id}:filled`,
    kind: 'orderFilled',
    params: {
      symbol: market.symbol,
      number: `${numberText(market, order.filled)} ${market.baseName}`,
      price: `${meanPrice(market, order)} ${market.quoteName}`,
    },
    link: ORDERS_LINK,
    at: order.updatedAt,
  }));
  const notices = [...ofFilled, ...others];
  const emissions: Emission[] = [];
  for (let from = 0; from < notices.length; from += NOTICES_MAX)
    emissions.push({
      topic: TOPICS.userNotices,
      partition: 0,
      message: UserNoticesV1.build({ notices: notices.slice(from, from + NOTICES_MAX) }),
    });
  return emissions;
}
