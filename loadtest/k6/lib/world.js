// The users and markets of a run, found in `setup()` and passed to each virtual user with its first turn.
import exec from 'k6/execution';
import { gather } from './people.js';
import { readMarkets } from './markets.js';
import { reach } from './reach.js';
import { markStep } from './run.js';
import { HEADS, ownVus, TOKENS, UNDER_HARNESS } from './settings.js';

/**
 * @typedef {import('./calls.js').Person} Person
 * @typedef {import('./markets.js').Market} Market
 * @typedef {{ run: string, people: Person[], markets: Market[] }} World
 */

/** How much of each coin people of a demo install are given, in USDT at the price of the start. */
const WORTH = 100_000;
const USDT = 3;
const RUN_LENGTH_MIN = 4;

/** @type {World} */
let world = { run: '', people: [], markets: [] };

/**
 * Finds users and markets. The result is the `data` of every function of a scenario.
 * @param {{ symbols?: string, pay?: boolean, account?: string, poor?: boolean, nobody?: boolean }} [needs] `symbols`:
 *   markets if `SYMBOLS` is not set; `pay`: deals between people; `account`: USDT there too; `poor`: users need no
 *   money; `nobody`: no users, markets are only read
 * @returns {World}
 */
export function prepare({ symbols, pay, account, poor, nobody } = {}) {
  // The name of an order has the run in its first place: what earlier runs left on an install is not this one's.
  const run = __ENV.RUN || Date.now().toString(36);
  // The names of its orders are their keys, which have at least eight characters.
  if (run.length < RUN_LENGTH_MIN) exec.test.abort(`RUN has ${RUN_LENGTH_MIN} characters or more, not "${run}".`);
  if (UNDER_HARNESS) return { run, people: [], markets: JSON.parse(__ENV.MARKETS) };
  reach();
  const markets = readMarkets(__ENV.SYMBOLS || symbols, { shown: nobody });
  if (nobody) return { run, people: [], markets };
  return { run, people: gather(poor ? {} : moneyFor(markets), { pay, account }), markets };
}

/**
 * Makes the run known to this virtual user.
 * @param {World} data
 */
export function enter(data) {
  markStep();
  if (world.run === data.run) return;
  world = UNDER_HARNESS ? { ...data, people: [...TOKENS] } : data;
}

export const run = () => world.run;
export const people = () => world.people;
export const markets = () => world.markets;

/** @template X @param {X[]} list */
export const pick = (list) => list[Math.floor(Math.random() * list.length)];

/**
 * Number of the person of this turn: the virtual users share all people among them, so that none waits for another's
 * limit.
 * @param {number} turn
 */
export function personOf(turn) {
  const vus = ownVus();
  const own = Math.max(1, Math.floor(HEADS / vus));
  return (((exec.vu.idInInstance - 1) % vus) + vus * (turn % own)) % HEADS;
}

/**
 * Returns the number of the trading partner of this turn's user: another one of this virtual user, else the next.
 * @param {number} person
 * @param {number} turn
 */
export function partnerOf(person, turn) {
  const other = personOf(turn + 1);
  return other === person ? (person + 1) % HEADS : other;
}

/**
 * @param {Market[]} list
 * @returns {Record<number, string>}
 */
function moneyFor(list) {
  /** @type {Record<number, string>} */
  const money = {};
  const prices = new Map(
    readMarkets('all')
      .filter(({ legal }) => legal === USDT)
      .map(({ currency, mid, priceScale }) => [currency, mid / 10 ** priceScale]),
  );
  for (const { legal, currency } of list)
    for (const coin of [legal, currency]) money[coin] = (WORTH / (prices.get(coin) ?? 1)).toFixed(2);
  return money;
}
