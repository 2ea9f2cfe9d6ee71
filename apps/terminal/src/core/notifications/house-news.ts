import type { Insurance, InsuranceClaim, LeverClosedPush, LeverPosition, MicroOrder } from '@bourse/contract';
import { COIN_SCALE } from '@bourse/formulas';
import { formatTrimmed, toUnits } from '@bourse/money';
import { atMost, directionOf, grouped } from '@bourse/ui';
import { netResult } from '../micro-result.js';
import { leverNewsId, type News } from './entries.js';

/** An amount and its coin, kept left to right among other words. */
const money = (amount: string, coin: string, sign = ''): string =>
  `\u2066${sign}${grouped(atMost(amount, 8))} ${coin}\u2069`;
/** The second line: a profit or a loss with its sign. */
const result = (amount: string, coin: string): NonNullable<News['detail']> => ({
  key: 'told.result',
  params: { amount: money(amount, coin, directionOf(amount) > 0 ? '+' : '') },
});

const LIQUIDATED = 2;
const AT_TARGET = 3;
const toneOf = (kind: LeverClosedPush['closed_type']): News['tone'] =>
  kind === LIQUIDATED ? 'error' : kind === AT_TARGET || kind === 1 ? 'done' : 'info';

/**
 * Positions that ended together: one piece of news, however many they are.
 * @param rows those of them that could be read
 */
export function leverNews({ ids, closed_type: kind }: LeverClosedPush, rows: readonly LeverPosition[]): News {
  const found = ids.map((id) => rows.find((row) => row.id === id));
  const known = found.filter((row) => row !== undefined);
  const [first] = known;
  const one = ids.length === 1 ? first : undefined;
  const sum = known.reduce((all, { profits }) => all + toUnits(profits, COIN_SCALE), 0n);
  return {
    id: leverNewsId(ids),
    ...(one
      ? { key: `told.lever.${kind}`, params: { what: `\u2066${one.symbol} ${one.multiple}×\u2069` } }
      : { key: `told.levers.${kind}`, params: { number: String(ids.length) } }),
    // A sum of some of them would be a wrong sum of all.
    ...(first && known.length === ids.length ? { detail: result(formatTrimmed(sum, COIN_SCALE), first.legal) } : {}),
    tone: toneOf(kind),
    to: ids.length === 1 ? `/leverRecord?id=${ids[0]}` : '/leverList',
  };
}

/** A seconds contract that was settled; undefined while it runs. */
export function microNews(order: MicroOrder): News | undefined {
  if (order.result === '') return undefined;
  return {
    id: `micro ${order.id}`,
    key: `told.micro.${order.result}`,
    params: { pair: order.symbol_name },
    detail: result(netResult(order), order.currency_name),
    tone: order.result === 'win' ? 'done' : 'info',
    to: `/microReceipt?id=${order.id}`,
  };
}

/** Outcomes of a policy without an act of its owner: claimed (1 booked, 2 paid), or ended at profit. */
export function policyNews(policy: Insurance, claim: InsuranceClaim | undefined): News | undefined {
  const id = `insurance ${policy.id}`;
  const to = '/microInsurance';
  const coin = policy.currency_name;
  if (claim)
    return {
      id,
      key: `told.claim.${claim.status}`,
      params: { amount: money(claim.amount, coin) },
      tone: claim.status === 2 ? 'done' : 'info',
      to,
    };
  return policy.status === 4 ? { id, key: 'told.policyEnded', params: { coin }, tone: 'done', to } : undefined;
}
