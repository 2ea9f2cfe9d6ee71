// ccxt in a process of its own, because it loads every exchange. Executes the calls of its parent, one at a time.
import ccxt from 'ccxt';
import { setTimeout as sleep } from 'node:timers/promises';
import { bourse } from '../../../../examples/ccxt/bourse.mjs';
import { problemsOfDeclared } from '../../../../examples/ccxt/test/declared.mjs';
import { silentOf } from '../../../../examples/ccxt/test/streams.mjs';

/** Between the orders that move the market. Ms. */
const MOVE_MS = 200;

/** Loses the first answer of an order: the order reaches the exchange, but its outcome is unknown. */
class Lossy extends bourse {
  async fetch(url, method, ...rest) {
    const answer = await super.fetch(url, method, ...rest);
    if (this.lost || method !== 'POST' || !url.endsWith('/coin/trade')) return answer;
    this.lost = true;
    throw new ccxt.RequestTimeout('the answer was lost');
  }
}
const bots = new Map();
const classesOf = (error) => {
  const names = [];
  for (let kind = error.constructor; kind.name; kind = Object.getPrototypeOf(kind)) names.push(kind.name);
  return names;
};
process.on('message', ({ id, bot, method, args }) => {
  Promise.resolve()
    .then(() => {
      if (method === 'structures') return problemsOfDeclared(bots.get(bot), args[0], () => sleep(MOVE_MS));
      if (method === 'silent') return silentOf(bots.get(bot), ...args, () => sleep(MOVE_MS));
      if (method !== 'new') return bots.get(bot)[method](...args);
      const [{ text = true, lossy = false, ...options }] = args;
      bots.set(bot, new (lossy ? Lossy : bourse)({ ...options, ...(text ? { number: String } : {}) }));
      return true;
    })
    .then((result) => process.send({ id, result: result ?? null }))
    .catch((error) => process.send({ id, error: { message: error.message, classes: classesOf(error) } }));
});
process.send({ ready: true });
