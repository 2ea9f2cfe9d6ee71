// CLIENTS sockets in one process that watch the trades of a market and count how long each trade took to reach them. In
// Node, because k6 spends some 60 µs per message of a socket, three times as much as this program, on the cores of the
// exchange. The frames are written by hand (Engine.IO 4 under Socket.IO 5). Prints `READY` when all have subscribed; on
// SIGTERM one line of JSON with the measurements.
import { readFileSync } from 'node:fs';
import { Latencies, numberAfter } from './lib/latencies.mjs';

const { URL: url, TOKENS: file, CLIENTS: clients, SYMBOL: symbol } = process.env;
const tokens = JSON.parse(readFileSync(file, 'utf8')).map(({ token }) => token);
const CONNECTS_AT_ONCE = 20;

const latencies = new Latencies();
const seen = { connected: 0, lost: 0, gaps: 0 };
const sockets = [];
let ending = false;

/** Resolves when it has subscribed, or was lost. */
function watch(token) {
  return new Promise((done) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
    let last = 0;
    socket.onmessage = ({ data }) => {
      if (data.startsWith('42["match_trade"')) {
        latencies.add(Date.now() - numberAfter(data, '"ts":'));
        const seq = numberAfter(data, '"seq":');
        if (last !== 0 && seq !== last + 1) seen.gaps += 1;
        last = seq;
      } else if (data === '2') socket.send('3');
      else if (data.startsWith('0')) socket.send(`40${JSON.stringify({ token, lang: 'en' })}`);
      else if (data.startsWith('40')) socket.send(`421["subscribe",${JSON.stringify({ channel: 'trades', symbol })}]`);
      else if (data.startsWith('431')) {
        if (data.includes('"type":"ok"')) seen.connected += 1;
        last = numberAfter(data, '"seq":');
        done();
      }
    };
    socket.onclose = () => {
      if (!ending) seen.lost += 1;
      done();
    };
    sockets.push(socket);
  });
}

process.once('SIGTERM', () => {
  ending = true;
  for (const socket of sockets) socket.close();
  process.stdout.write(`${JSON.stringify({ ...seen, ...latencies.summary() })}\n`, () => process.exit(0));
});

for (let from = 0; from < Number(clients); from += CONNECTS_AT_ONCE) {
  await Promise.all(
    Array.from({ length: Math.min(CONNECTS_AT_ONCE, Number(clients) - from) }, (_, index) =>
      watch(tokens[(from + index) % tokens.length]),
    ),
  );
}
process.stdout.write('READY\n');
