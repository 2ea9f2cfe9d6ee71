// CLIENTS sockets that watch the trades of one market, while orders are placed that trade. k6 has no socket.io client: its frames are written
// by hand (Engine.IO 4 under Socket.IO 5). Each client counts its trades; a missing one shows in the numbers of the stream.
import { WebSocket } from 'k6/websockets';
import exec from 'k6/execution';
import { Counter, Trend } from 'k6/metrics';
import { commonOptions, handleSummary as summary, markets, place, tokens, URL } from './flow.js';

const CLIENTS = Number(__ENV.CLIENTS);
const SECONDS = Number(__ENV.SECONDS);
const PER_VU = 50;
const VUS = Math.ceil(CLIENTS / PER_VU);
const CONNECT_SECONDS = 10;
const symbol = __ENV.SYMBOL;
export const options = {
  ...commonOptions,
  scenarios: {
    watchers: { executor: 'per-vu-iterations', vus: VUS, iterations: 1, maxDuration: `${CONNECT_SECONDS + SECONDS + 20}s`, exec: 'watch' },
    traders: { executor: 'constant-arrival-rate', rate: Number(__ENV.RATE), timeUnit: '1s', duration: `${SECONDS}s`, startTime: `${CONNECT_SECONDS}s`, preAllocatedVUs: 20, maxVUs: 60, exec: 'trade', gracefulStop: '10s' },
  },
};

const tradeToClient = new Trend('trade_to_client_ms', true);
const connected = new Counter('sockets_connected');
const lost = new Counter('sockets_lost');
const gaps = new Counter('trades_missed');
/** A number behind a name, found without reading the rest: ten thousand messages a second pass here, on the cores of the exchange. */
function numberAfter(text, name) {
  const from = text.indexOf(name) + name.length;
  return Number(text.slice(from, text.indexOf(',', from)));
}

/** PER_VU sockets on one event loop, all closed at the end of the run. */
export function watch() {
  const endsAt = exec.scenario.startTime + (CONNECT_SECONDS + SECONDS + 3) * 1000;
  const first = (exec.vu.idInTest - 1) % VUS * PER_VU;
  for (let index = 0; index < PER_VU && first + index < CLIENTS; index += 1) setTimeout(() => client(tokens[(first + index) % tokens.length], endsAt), index * (CONNECT_SECONDS - 3) * 1000 / PER_VU);
}

function client(token, endsAt) {
  const socket = new WebSocket(`${URL.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
  let last = 0;
  let closing = false;
  socket.onmessage = ({ data }) => {
    const at = Date.now();
    if (data.startsWith('42["match_trade"')) {
      tradeToClient.add(at - numberAfter(data, '"ts":'));
      const seq = numberAfter(data, '"seq":');
      if (last !== 0 && seq !== last + 1) gaps.add(1);
      last = seq;
    } else if (data.startsWith('0')) socket.send(`40${JSON.stringify({ token, lang: 'en' })}`);
    else if (data === '2') socket.send('3');
    else if (data.startsWith('40')) socket.send(`421["subscribe",${JSON.stringify({ channel: 'trades', symbol })}]`);
    else if (data.startsWith('431')) { if (data.includes('"type":"ok"')) connected.add(1); else lost.add(1); last = numberAfter(data, '"seq":'); }
  };
  socket.onclose = () => { if (!closing) lost.add(1); };
  socket.onerror = () => { lost.add(1); };
  setTimeout(() => { closing = true; socket.close(); }, Math.max(0, endsAt - Date.now()));
}

let turn = 0;
/** Two people trade with each other: one order that rests in the middle, one that takes it. One trade an iteration. */
export function trade() {
  const [market] = markets;
  const maker = (exec.vu.idInTest * 7 + (turn += 1)) % tokens.length;
  const taker = (maker + 1) % tokens.length;
  place(maker, market, 2, 'limit', market.mid, market.lots);
  place(taker, market, 1, 'limit', market.mid, market.lots);
}

export const handleSummary = summary;
