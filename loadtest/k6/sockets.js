// SOCKETS sockets that watch one market, on which people trade RATE times a second: how long a trade takes to reach
// them, and whether one is missing. k6 has no socket.io client, so the frames (Engine.IO 4 under Socket.IO 5) are
// written by hand; it spends about 60 µs on a message, which counts where it shares cores with the exchange.
import { check } from 'k6';
import exec from 'k6/execution';
import { Counter, Trend } from 'k6/metrics';
import { setTimeout } from 'k6/timers';
import { WebSocket } from 'k6/websockets';
import { place } from './lib/orders.js';
import { settle } from './lib/reconcile.js';
import { optionsOf, P99, steady } from './lib/run.js';
import { BASE_URL, number, SECONDS, VUS } from './lib/settings.js';
import { enter, markets, personOf, prepare } from './lib/world.js';

export { handleSummary } from './lib/run.js';
export { reconcile } from './lib/reconcile.js';

/** @typedef {import('./lib/world.js').World} World */

const SOCKETS = number('SOCKETS', 20);
/** Sockets subscribe within this before the first trade. */
const LEAD_SECONDS = 3;

export const options = optionsOf(
  {
    watch: {
      executor: 'per-vu-iterations',
      vus: SOCKETS,
      iterations: 1,
      maxDuration: `${SECONDS + LEAD_SECONDS + 10}s`,
    },
    trades: { ...steady(number('RATE', 5)), startTime: `${LEAD_SECONDS}s`, exec: 'trade' },
  },
  {
    vus: SOCKETS + VUS,
    seconds: SECONDS + LEAD_SECONDS,
    thresholds: {
      trade_to_client_ms: [`p(99)<${P99}`],
      sockets_subscribed: [`count==${SOCKETS}`],
      sockets_lost: ['count==0'],
      gaps: ['count==0'],
      trades_received: ['count>0'],
    },
  },
);

const toClientMs = new Trend('trade_to_client_ms', true);
const subscribed = new Counter('sockets_subscribed');
const lost = new Counter('sockets_lost');
const received = new Counter('trades_received');
const gaps = new Counter('gaps');

export const setup = () => prepare();
export const teardown = settle;

/**
 * One socket: a guest, so that no person's number of sockets is used up.
 * @param {World} data
 */
export default function watch(data) {
  enter(data);
  const [{ symbol }] = markets();
  const socket = new WebSocket(`${BASE_URL.replace(/^http/, 'ws')}/socket.io/?EIO=4&transport=websocket`);
  let last = 0;
  let ending = false;
  let answered = false;
  socket.onmessage = (event) => {
    const frame = String(event?.data);
    if (frame.startsWith('42["match_trade"')) {
      const [, trade] = JSON.parse(frame.slice(2));
      toClientMs.add(Math.max(0, Date.now() - trade.ts));
      received.add(1);
      if (last !== 0 && trade.seq !== last + 1) gaps.add(1);
      last = trade.seq;
    } else if (frame === '2') socket.send('3');
    else if (frame.startsWith('0')) socket.send('40{"lang":"en"}');
    else if (frame.startsWith('40')) socket.send(`421["subscribe",${JSON.stringify({ channel: 'trades', symbol })}]`);
    else if (frame.startsWith('431')) {
      const [answer] = JSON.parse(frame.slice(3));
      answered = check(answer, { 'a subscription is granted': ({ type }) => type === 'ok' });
      if (answered) subscribed.add(1);
      last = Number(answer.seq ?? 0);
    }
  };
  socket.onerror = (event) => console.error(`socket ${exec.vu.idInTest}: ${event?.error}`);
  socket.onclose = () => {
    if (!ending) lost.add(1);
  };
  setTimeout(
    () => {
      ending = true;
      socket.close();
    },
    (SECONDS + LEAD_SECONDS + 2) * 1000,
  );
}

let turn = 0;
/**
 * Two people trade with each other.
 * @param {World} data
 */
export function trade(data) {
  enter(data);
  const [market] = markets();
  turn += 1;
  place(personOf(turn), market, 2, 'limit', market.mid, market.lots);
  place(personOf(turn + 1), market, 1, 'limit', market.mid, market.lots);
}
