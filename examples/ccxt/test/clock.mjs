// An exchange whose clock differs: checks the time of signatures, of calls and of the socket.
import { createServer } from 'node:http';
import { Server } from 'socket.io';
import { bourse } from '../bourse.mjs';
import { QUOTATION } from './watched.mjs';

/** Starts it; `state` has the lead of its clock and counts the calls. */
export async function clockwork(aheadMs) {
  const state = { aheadMs, asked: [] };
  const now = () => Date.now() + state.aheadMs;
  const isRight = (timestamp) => Math.abs(Number(timestamp) - now()) <= 5_000;
  const http = createServer((request, response) => {
    const path = request.url.split('?')[0];
    state.asked.push(path);
    const timestamp = request.headers['x-api-timestamp'];
    const isLate = timestamp !== undefined && !isRight(timestamp);
    response.setHeader('date', new Date(now()).toUTCString());
    response.writeHead(isLate ? 401 : 200, { 'content-type': 'application/json' });
    const refusal = { type: 'error', key: 'apikey.signature', message: 'No', params: { reason: 'time' } };
    // Its business clock, which tests move, says another time.
    response.end(JSON.stringify(isLate ? refusal : { type: 'ok', message: answers[path] ?? 86_400_000 }));
  });
  const sockets = new Server(http);
  sockets.use(({ handshake }, next) =>
    next(isRight(handshake.auth.timestamp) ? undefined : new Error('apikey.signature')),
  );
  sockets.on('connection', (socket) => socket.on('login', (_name, ack) => ack({ type: 'ok', user_seq: 0 })));
  await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
  const hostname = `127.0.0.1:${http.address().port}`;
  const bot = (options) => new bourse({ hostname, apiKey: 'key', secret: 'secret', number: String, options });
  return { state, bot, close: () => sockets.close() };
}

const answers = {
  '/api/quotation_new': [{ quotation: [QUOTATION] }],
  '/api/currency/list': { legal: [], list: [] },
  '/api/coin/list': { data: [], has_more: 0 },
};
