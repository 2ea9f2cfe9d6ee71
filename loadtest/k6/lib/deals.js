// C2C: what people sell one another.
import { Counter, Rate, Trend } from 'k6/metrics';
import { call } from './calls.js';
import { judge } from './judged.js';
import { keep } from './kept.js';
import { write } from './orders.js';
import { FUND, USDT } from './people.js';
import { partnerOf, people, personOf } from './world.js';

const ID = /"id":"?(\d+)/;
/** The amount of an ad, and that of a deal. */
const AD_NUMBER = 500;

export const dealMs = new Trend('deal_ms', true);
const releasesOk = new Counter('releases_ok');
/** Of all that were begun. */
const released = new Rate('deals_released');

/**
 * What remains of the ad of each user of this virtual user.
 * @type {Record<number, { id: string, left: number } | undefined>}
 */
const ads = {};

/**
 * @param {string} path
 * @param {import('./calls.js').Fields} fields
 * @param {number} person
 */
function timed(path, fields, person) {
  const response = call({ person: people()[person], method: 'POST', path, fields });
  const outcome = judge(response, path === '/api/wallet/change' ? undefined : dealMs, 'a command of a deal');
  return { outcome, id: ID.exec(response.body ?? '')?.[1] };
}

/**
 * Brings coins to the legal account, and publishes them.
 * @param {number} person
 */
function publish(person) {
  const moved = timed(
    '/api/wallet/change',
    { currency_id: USDT, number: AD_NUMBER + 1, from_field: 'change', to_field: 'legal' },
    person,
  );
  keep.listed('transfer', { person, ...moved });
  write(`transfer ${person} ${moved.outcome} ${moved.id ?? '-'}`);
  if (moved.outcome !== 'ok') return undefined;
  const { outcome, id } = timed(
    '/api/c2c_send',
    {
      total_number: AD_NUMBER,
      price: '6.50',
      way: 'bank',
      coin_code: 'CNY',
      currency_id: USDT,
      type: 'sell',
      password: FUND,
    },
    person,
  );
  write(`ad ${person} ${outcome} ${outcome === 'ok' ? id : '-'}`);
  return outcome === 'ok' && id ? { id, left: AD_NUMBER } : undefined;
}

/**
 * One person takes a coin from another's ad, pays and is given it: `ad …`, `deal <person> <outcome> <id>`,
 * `release <id> <outcome>`.
 * @param {number} turn
 */
export function deal(turn) {
  released.add(isReleased(turn));
}

/**
 * @param {number} turn
 * @returns {boolean}
 */
function isReleased(turn) {
  const seller = personOf(turn);
  const buyer = partnerOf(seller, turn);
  let ad = ads[seller];
  if (!ad || ad.left < 1) ad = ads[seller] = publish(seller);
  if (!ad) return false;
  const taken = timed('/api/c2c/do_legal_deal', { id: ad.id, number: 1, password: FUND }, buyer);
  write(`deal ${buyer} ${taken.outcome} ${taken.outcome === 'ok' ? taken.id : '-'}`);
  if (taken.outcome !== 'ok') return false;
  ad.left -= 1;
  if (timed('/api/c2c/user_legal_pay', { id: taken.id, password: FUND }, buyer).outcome !== 'ok') return false;
  const { outcome } = timed('/api/c2c/legal_deal_sure', { id: taken.id, password: FUND }, seller);
  if (outcome === 'ok') {
    releasesOk.add(1);
    keep.release({ person: seller, outcome, id: taken.id });
  }
  write(`release ${taken.id} ${outcome}`);
  return outcome === 'ok';
}

/** Withdraws the ads of this virtual user, which frees their remaining amounts. */
export function takeBack() {
  for (const [person, ad] of Object.entries(ads))
    if (ad)
      call({
        person: people()[Number(person)],
        method: 'POST',
        path: '/api/c2c/back_send',
        fields: { id: ad.id, password: FUND },
      });
}
