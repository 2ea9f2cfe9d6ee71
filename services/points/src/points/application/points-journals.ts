import { available, INTERNAL_CURRENCIES } from '@bourse/events';
import type { LedgerOrder } from '@bourse/ledger-client';
import { formatUnits } from '@bourse/money';
import type { PointsExchange } from '../domain/points-exchange.js';
import { POINTS_SCALE } from '../domain/points-account.js';

/* Journals of points, as rules §10 writes them. */

const ISSUER = 'points';
const HOUSE = 'h.points';
const PTS = INTERNAL_CURRENCIES.PTS.id;
/** Causes, as statements show them. */
const BINDING_CAUSE = 'points_binding';
const EXCHANGE_CAUSE = 'points_exchange';
const FEES_CAUSE = 'points_fees';

const pts = (units: bigint): string => formatUnits(units, POINTS_SCALE);

/** Points that a person gets: nothing may refuse it, h.points may be below zero in points. */
function creditOrder(userId: number, id: string, causeType: string, causeId: string, points: bigint): LedgerOrder {
  const leg = { from: HOUSE, to: available(userId, 'points'), currency: PTS, amount: pts(points) };
  return { issuer: ISSUER, userId, onBehalfOf: null, journals: [{ id, causeType, causeId, legs: [leg] }] };
}

/** The balance of an account of the third party, once for each reference. */
export const bindingOrder = (userId: number, reference: string, points: bigint): LedgerOrder =>
  creditOrder(userId, `points:bind:${reference}`, BINDING_CAUSE, reference, points);

/** Name of what a person gets for the fees of a day. */
export const dayObject = (day: number, userId: number): string => `${day}:${userId}`;
/** Points for the fees of a day, once for each day and person. */
export const dayOrder = (userId: number, day: number, points: bigint): LedgerOrder =>
  creditOrder(userId, `points:day:${dayObject(day, userId)}`, FEES_CAUSE, dayObject(day, userId), points);

/** Points for coins in one journal: both, or neither. It may be refused. */
export function exchangeOrder({ id, userId, points, coins, currencyId, scale }: PointsExchange): LedgerOrder {
  return {
    issuer: ISSUER,
    userId,
    onBehalfOf: userId,
    journals: [
      {
        id: `points:exchange:${id}`,
        causeType: EXCHANGE_CAUSE,
        causeId: id,
        legs: [
          { from: available(userId, 'points'), to: HOUSE, currency: PTS, amount: pts(points) },
          { from: HOUSE, to: available(userId, 'change'), currency: currencyId, amount: formatUnits(coins, scale) },
        ],
      },
    ],
  };
}
