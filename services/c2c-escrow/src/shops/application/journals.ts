import { available, held, type Leg } from '@bourse/events';
import type { LedgerOrder } from '@bourse/ledger-client';
import { formatUnits } from '@bourse/money';
import { shopHoldName, type Shop } from '../domain/shop.js';

/* Journals of shops, as rules §6 write them. */

const ISSUER = 'c2c-escrow';
/** Cause, as statements and holds show it. */
export const SHOP_CAUSE = 'shop';

/** The deposit of a new shop, out of the legal account into the hold of the merchant account: it may be refused. */
export function createDepositOrder({
  id,
  userId,
  depositCurrencyId: currency,
  depositScale,
  deposit,
}: Shop): LedgerOrder {
  const amount = formatUnits(deposit, depositScale);
  const merchant = available(userId, 'merchant');
  return {
    issuer: ISSUER,
    userId,
    onBehalfOf: userId,
    journals: [
      {
        id: `${shopHoldName(id)}:hold`,
        causeType: SHOP_CAUSE,
        causeId: String(id),
        legs: [
          { from: available(userId, 'legal'), to: merchant, currency, amount },
          { from: merchant, to: held(userId, 'merchant', shopHoldName(id)), currency, amount },
        ],
      },
    ],
  };
}

/** What goes back of the deposit of a shop when it is decided, to where it came from. */
export const createRefundOrder = (shop: Shop, back: bigint): LedgerOrder => ({
  issuer: ISSUER,
  userId: shop.userId,
  onBehalfOf: null,
  journals: [
    {
      id: `${shopHoldName(shop.id)}:refund`,
      causeType: SHOP_CAUSE,
      causeId: String(shop.id),
      legs: [
        {
          from: held(shop.userId, 'merchant', shopHoldName(shop.id)),
          to: available(shop.userId, 'legal'),
          currency: shop.depositCurrencyId,
          amount: formatUnits(back, shop.depositScale),
        },
      ],
    },
  ],
});

/**
 * What the owner of a shop gets back when it closes: its deposit, and what is left in the merchant account of its coin.
 * It may be refused: that is less meanwhile.
 */
export function createCloseOrder(shop: Shop, left: bigint, scale: number, id: string): LedgerOrder {
  const { userId, currencyId, depositCurrencyId, deposit, depositScale } = shop;
  const [legal, merchant] = [available(userId, 'legal'), available(userId, 'merchant')];
  const back = (from: string, currency: number, amount: string): Leg => ({ from, to: legal, currency, amount });
  const legs: Leg[] = [
    ...(deposit === 0n
      ? []
      : [back(held(userId, 'merchant', shopHoldName(shop.id)), depositCurrencyId, formatUnits(deposit, depositScale))]),
    ...(left === 0n ? [] : [back(merchant, currencyId, formatUnits(left, scale))]),
  ];
  return {
    issuer: ISSUER,
    userId,
    onBehalfOf: userId,
    journals: [{ id: `${shopHoldName(shop.id)}:${id}:close`, causeType: SHOP_CAUSE, causeId: String(shop.id), legs }],
  };
}

/** Between the legal and the merchant account of its owner; `id` is the transfer's own. */
export function createTransferOrder(shop: Shop, id: string, direction: 'in' | 'out', amount: string): LedgerOrder {
  const { userId, currencyId: currency } = shop;
  const [legal, merchant] = [available(userId, 'legal'), available(userId, 'merchant')];
  const [from, to] = direction === 'in' ? [legal, merchant] : [merchant, legal];
  return {
    issuer: ISSUER,
    userId,
    onBehalfOf: userId,
    journals: [
      {
        id: `${shopHoldName(shop.id)}:${id}:${direction}`,
        causeType: SHOP_CAUSE,
        causeId: String(shop.id),
        legs: [{ from, to, currency, amount }],
      },
    ],
  };
}
