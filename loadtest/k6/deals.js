// C2C: what people sell one another. Each command is written down as the orders are.
import { Counter, Trend } from 'k6/metrics';
import { outcomeOf, personOf, post } from './flow.js';

const ID = /"id":"?(\d+)/;
const FUND = 'password=fund66';
const USDT = 3;
/** What an ad has, and what a deal takes of it. */
const AD_NUMBER = 500;

export const dealMs = new Trend('deal_ms', true);
const releasesOk = new Counter('releases_ok');

/** What is left of the ad of each person of this virtual user. */
const ads = {};

function timed(path, body, person) {
  const response = post(path, body, person);
  dealMs.add(response.timings.duration);
  return { outcome: outcomeOf(response), id: ID.exec(response.body ?? '')?.[1] };
}

/** Brings coins to the legal account, and publishes them. */
function publish(person) {
  const moved = post(
    '/api/wallet/change',
    `currency_id=${USDT}&number=${AD_NUMBER + 1}&from_field=change&to_field=legal`,
    person,
  );
  console.log(`transfer ${person} ${outcomeOf(moved)} ${ID.exec(moved.body ?? '')?.[1] ?? '-'}`);
  if (outcomeOf(moved) !== 'ok') return undefined;
  const { outcome, id } = timed(
    '/api/c2c_send',
    `total_number=${AD_NUMBER}&price=6.50&way=bank&coin_code=CNY&currency_id=${USDT}&type=sell&${FUND}`,
    person,
  );
  console.log(`ad ${person} ${outcome} ${outcome === 'ok' ? id : '-'}`);
  return outcome === 'ok' ? { id, left: AD_NUMBER } : undefined;
}

/** One person takes a coin from another's ad, pays and is given it: `ad …`, `deal <person> <outcome> <id>`, `release <id> <outcome>`. */
export function deal(turn) {
  const [seller, buyer] = [personOf(turn), personOf(turn + 1)];
  if (seller === buyer) return;
  if (!ads[seller] || ads[seller].left < 1) ads[seller] = publish(seller);
  const ad = ads[seller];
  if (!ad) return;
  const taken = timed('/api/c2c/do_legal_deal', `id=${ad.id}&number=1&${FUND}`, buyer);
  console.log(`deal ${buyer} ${taken.outcome} ${taken.outcome === 'ok' ? taken.id : '-'}`);
  if (taken.outcome !== 'ok') return;
  ad.left -= 1;
  if (timed('/api/c2c/user_legal_pay', `id=${taken.id}&${FUND}`, buyer).outcome !== 'ok') return;
  const { outcome } = timed('/api/c2c/legal_deal_sure', `id=${taken.id}&${FUND}`, seller);
  if (outcome === 'ok') releasesOk.add(1);
  console.log(`release ${taken.id} ${outcome}`);
}
