// The leverage calls that clients of the simulator make: open, cancel, set stops, close.
import { SEED_PAIRS } from '@bourse/contract';
import type { Direction } from '@bourse/formulas';
import type { SimulatedCall, SimulatedDraws } from '@bourse/ledger-client';
import { WrittenAmount, type CallContext, type Notice } from '@bourse/platform';
import type { AnswerStore } from '@bourse/persistence';
import type { ClosePositions } from '../application/close.js';
import type { SubmitBody } from '../application/fields.js';
import type { SetStops } from '../application/set-stops.js';
import type { SubmitPosition } from '../application/submit.js';

export const QUOTE = 3;
export const MARKETS = SEED_PAIRS.filter(({ openLever, legalId }) => openLever && legalId === QUOTE).slice(0, 2);
/** Prices about which the markets wander. */
export const PRICES = [{ base: 60_000 }, { base: 4_000 }] as const;

/** The use cases that clients call, and the answers of transfers out, which the ledger hands over. */
export interface Lever {
  readonly answers: AnswerStore;
  readonly submitting: SubmitPosition;
  readonly closing: ClosePositions;
  readonly stopping: SetStops;
}

/** A target and a stop within the range of the prices; some are on the wrong side of the mark and are refused. */
function stopsAround(random: SimulatedDraws, base: number, direction: Direction): { target: string; stop: string } {
  const [above, below] = [base * 1.02 + random.int(base / 10), base * 0.98 - random.int(base / 10)];
  const [target, stop] = direction === 'long' ? [above, below] : [below, above];
  const which = random.pick(['both', 'target', 'stop'] as const);
  return {
    target: which === 'stop' ? '0' : String(Math.round(target)),
    stop: which === 'target' ? '0' : String(Math.round(stop)),
  };
}

/** Contracts of a side: the margins of several pairs take nearly the whole balance, and one side loses more. */
const HEDGE_CONTRACTS = 25;

type Draw = (random: SimulatedDraws, user: number, known: readonly string[]) => SimulatedCall<Lever>;

const drawOpen: Draw = (random, user) => {
  const pair = random.pick(MARKETS);
  const [multiple, share] = [random.pick([5, 10, 20, 50]), 1 + random.int(random.chance(0.1) ? 900 : 12)];
  const [direction, kind] = [
    random.pick(['long', 'short'] as const),
    random.pick(['market', 'market', 'limit'] as const),
  ];
  const base = PRICES[MARKETS.indexOf(pair)]!.base;
  const price = String(base * 0.9 + random.int(base / 5));
  const stops = random.chance(0.3) ? stopsAround(random, base, direction) : {};
  const fields = { pair: pair.id, multiple, share, direction, kind, price, ...stops };
  const body = {
    quoteId: pair.legalId,
    baseId: pair.currencyId,
    direction,
    kind,
    multiple,
    share,
    ...stops,
    ...(kind === 'limit' ? { price: new WrittenAmount(price, 'target_price', { key: 'lever.priceRequired' }) } : {}),
  } as SubmitBody;
  const run = (lever: Lever, context: CallContext): Promise<Notice> => lever.submitting.execute(user, body, context);
  return { fields: { call: 'open', ...fields }, run };
};
/** One side of a hedge, long and short of one size, which no price liquidates while both are open. */
const drawHedge: Draw = (random, user, ids) => {
  const [pair] = MARKETS;
  const direction = ids.length % 2 === 0 ? 'long' : 'short';
  const fields = { pair: pair!.id, multiple: 50, share: HEDGE_CONTRACTS, direction, kind: 'market' as const };
  const body = { ...fields, quoteId: pair!.legalId, baseId: pair!.currencyId } as unknown as SubmitBody;
  const run = (lever: Lever, context: CallContext): Promise<Notice> => lever.submitting.execute(user, body, context);
  return { fields: { call: 'open', ...fields, price: '', target: '0', stop: '0' }, run };
};
const drawEnd: Draw = (random, user, ids) => {
  const id = random.pick(ids);
  if (random.chance(0.3)) {
    const run = (lever: Lever, context: CallContext): Promise<Notice> => lever.closing.cancel(user, id, context);
    const cancel: SimulatedCall<Lever> = { fields: { call: 'cancel', id }, run };
    return cancel;
  }
  const withCover = random.chance(0.5);
  const share: { share?: number } = random.chance(0.4) ? { share: 1 + random.int(8) } : {};
  const run = (lever: Lever, context: CallContext): Promise<Notice> =>
    lever.closing.close(user, { id, withCover, ...share }, context);
  const fields: Record<string, string | number> = { call: 'close', id, cover: Number(withCover), ...share };
  return { fields, run };
};
const drawStops: Draw = (random, user, ids) => {
  const id = random.pick(ids);
  const { base } = random.pick(PRICES);
  const body = { id, ...stopsAround(random, base, random.pick(['long', 'short'] as const)) };
  const run = (lever: Lever, context: CallContext): Promise<Notice> => lever.stopping.execute(user, body, context);
  return { fields: { call: 'stops', ...body }, run };
};
const drawAll: Draw = (random, user) => {
  const which = random.pick(['all', 'long', 'short'] as const);
  const withCover = random.chance(0.5);
  return {
    fields: { call: 'batch', which, cover: Number(withCover) },
    run: (lever, context) => lever.closing.batch(user, { which, quote: QUOTE, withCover }, context),
  };
};

/** Draws a call of a user who knows these ids. Calls that name no position were answered without an id. */
export const drawCall: Draw = (random, user, known) => {
  const ids = known.filter((id) => id !== '');
  const die = random.next();
  if (user % 2 === 0 && die < 0.5) return drawHedge(random, user, ids);
  if (die < 0.5 || ids.length === 0) return drawOpen(random, user, ids);
  if (die < 0.75) return drawEnd(random, user, ids);
  if (die < 0.94) return drawStops(random, user, ids);
  return drawAll(random, user, ids);
};
