import { available, held, type Leg } from '@bourse/events';
import type { LedgerOrder } from '@bourse/ledger-client';
import { formatUnits } from '@bourse/money';
import { shopHoldName, type Shop } from '../domain/shop.js';

/* Journals of shops, as in rules §6. */

const ISSUER = 'c2c-escrow';
/** Cause type in the ledger, as statements and holds show it. */
const SHOP_CAUSE = 'shop';

/**
 * Moves the deposit of a new shop from the legal account into a hold of the merchant account; the ledger may refuse it.
 */
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

/** Returns the part of the deposit that a decision does not need to the legal account. */
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
 * Returns the deposit and the merchant balance of a closing shop; the ledger may refuse it when the balance is lower
 * meanwhile.
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

/** Moves coins between the legal and the merchant account; `id` is the id of the transfer. */
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
