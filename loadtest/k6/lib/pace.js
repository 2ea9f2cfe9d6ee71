// The default load of a run: it stays below the rate limits of an ordinary install (RATE_SCALE=1), so that what it
// measures is the exchange and not its limits. Nothing of k6 is used here.

/** Rates of an ordinary install (api §1.7): of a person, and of the one address from which k6 calls. */
export const LIMITS = {
  ordersPerSecond: 20,
  transfersPerMinute: 10,
  withdrawalsPerMinute: 5,
  c2cPerMinute: 30,
  callsPerSecond: 100,
  publicPerSecond: 20,
  signInsPerMinute: 20,
  signInsOfOnePerMinute: 5,
  sockets: 20,
};
/** Chance makes some seconds fuller than others: so much of a limit is used on average. */
const SHARE = 0.5;

/** Of the turns of `step` this share are orders; the others are cancels. */
const ORDERS_A_TURN = 0.65;
/** Of the turns of a day this share are transfers. */
const TRANSFERS_A_TURN = 0.05;
/** Calls of the C2C class that one deal is: two of the buyer, one of the seller. */
const CALLS_A_DEAL = 3;

/** @typedef {(heads: number) => number} Pace turns a second for so many people */

/** @type {Pace} orders and cancels */
export const ordersPace = (heads) =>
  Math.min(LIMITS.callsPerSecond * SHARE, (heads * LIMITS.ordersPerSecond * SHARE) / ORDERS_A_TURN);
/** @type {Pace} trades between two people: two orders each */
export const tradesPace = (heads) =>
  Math.min((LIMITS.callsPerSecond * SHARE) / 2, (heads * LIMITS.ordersPerSecond * SHARE) / 2);
/** @type {Pace} a mixed day without money that moves between accounts */
export const readAndTradePace = (heads) => Math.min(30, ordersPace(heads));
/** @type {Pace} a mixed day with transfers */
export const dayPace = (heads) =>
  Math.min(readAndTradePace(heads), (heads * LIMITS.transfersPerMinute * SHARE) / 60 / TRANSFERS_A_TURN);
/** @type {Pace} C2C deals */
export const dealsPace = (heads) => Math.min(1, (heads * LIMITS.c2cPerMinute * SHARE) / 60 / CALLS_A_DEAL);
/** @type {Pace} sign-ins; what the preparation has signed in counts in the same minute */
export const signInPace = (heads) =>
  (Math.min(LIMITS.signInsPerMinute, heads * LIMITS.signInsOfOnePerMinute) * SHARE) / 60;

/** @type {Pace} withdrawals */
export const withdrawalsPace = (heads) => (heads * LIMITS.withdrawalsPerMinute * SHARE) / 60;
/** @type {Pace} purchases from the house: a tenth of a person's calls, for the house covers a limited amount */
export const housePace = (heads) => Math.min(5, (heads * LIMITS.ordersPerSecond * SHARE) / 10);

/**
 * How many connections a rate needs when every answer takes the longest that it may (Little's law).
 * @param {number} perSecond
 * @param {number} p99Ms
 */
export const vusFor = (perSecond, p99Ms) =>
  Math.min(VUS_MOST, Math.ceil((perSecond * Math.min(p99Ms, ANSWER_MS_MOST)) / 1000));
/** Answers that take longer wait for the exchange: more connections would only wait beside them. */
const ANSWER_MS_MOST = 1000;
/** Number of virtual users that one process of k6 can run. */
const VUS_MOST = 1000;

/**
 * Number of this process among so many: the number at the end of a name such as `k6-3`.
 * @param {string | undefined} name
 * @param {number} instances
 */
export function instanceOf(name, instances) {
  const found = Number(/(\d+)$/.exec(name ?? '1')?.[1]);
  if (!(found >= 1 && found <= instances))
    throw new Error(`INSTANCE must end with a number from 1 to INSTANCES, ${instances}; it is ${name}`);
  return found;
}

/**
 * The part of a list that belongs to one process: all parts together are the list, and no two have anything in common.
 * @template X
 * @param {X[]} list
 * @param {number} instance
 * @param {number} instances
 */
export const shareOf = (list, instance, instances) => list.filter((_, at) => at % instances === instance - 1);

/** Most questions that one virtual user asks at once before and after the load. */
export const AT_ONCE = 20;

/**
 * How many questions a virtual user asks next: half as many when some were turned away, else one more.
 * @param {number} size
 * @param {boolean} turnedAway
 */
export const nextBatch = (size, turnedAway) =>
  turnedAway ? Math.max(1, Math.floor(size / 2)) : Math.min(AT_ONCE, size + 1);

/**
 * A rate as k6 wants it: whole turns in a second, else in a minute.
 * @param {number} perSecond
 */
export const arrivals = (perSecond) =>
  Number.isInteger(perSecond)
    ? { rate: perSecond, timeUnit: '1s' }
    : { rate: Math.max(1, Math.round(perSecond * 60)), timeUnit: '1m' };
