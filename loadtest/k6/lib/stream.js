// Sockets: of a guest that watches one channel, and of a person with the private events. k6 has no socket.io client, so
// the frames (Engine.IO 4 under Socket.IO 5) are written by hand; it spends about 60 µs on a message, which counts
// where it shares cores with the exchange.
import { check } from 'k6';
import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
import { setTimeout } from 'k6/timers';
import { WebSocket } from 'k6/websockets';
import { headersOf } from './calls.js';
import { BASE_URL } from './settings.js';

/** The event that carries the messages of a channel (api §4). */
const EVENTS = { daymarket: 'daymarket', depth: 'market_depth', trades: 'match_trade', kline: 'kline' };

const subscribed = new Counter('sockets_subscribed');
const lost = new Counter('sockets_lost');
const gaps = new Counter('gaps');

/**
 * Thresholds of a scenario with so many sockets.
 * @param {number} sockets
 */
export const socketThresholds = (sockets) => ({
  sockets_subscribed: [`count==${sockets}`],
  sockets_lost: ['count==0'],
  gaps: ['count==0'],
});

/**
 * Opens a socket for so many seconds and passes each frame of the exchange to `onFrame`; the pings of the line are
 * answered here.
 * @param {number} seconds
 * @param {(frame: string, socket: WebSocket) => void} onFrame
 */
function openSocket(seconds, onFrame) {
  const socket = new WebSocket(`${BASE_URL.replace(/^http/, 'ws')}/socket.io/?EIO=4&transport=websocket`);
  let ending = false;
  socket.onmessage = (event) => {
    const frame = String(event?.data);
    if (frame === '2') socket.send('3');
    else onFrame(frame, socket);
  };
  socket.onerror = (event) => console.error(`socket ${exec.vu.idInTest}: ${event?.error}`);
  socket.onclose = () => {
    if (!ending) lost.add(1);
  };
  setTimeout(() => {
    ending = true;
    socket.close();
  }, seconds * 1000);
}

/** @param {string} sentence */
function addGap(sentence) {
  gaps.add(1);
  console.error(`socket ${exec.vu.idInTest}: ${sentence}`);
}

/**
 * Opens a socket for so many seconds and subscribes; every message must follow the one before it.
 * @param {{ channel: keyof typeof EVENTS, symbol: string, seconds: number, onMessage: (message: any) => void }} wanted
 */
export function watchStream({ channel, symbol, seconds, onMessage }) {
  const begin = `42["${EVENTS[channel]}",`;
  /**
   * Number of the last message, 0 for none yet; nothing until the subscription is granted: before it a socket gets the
   * messages of all pairs, in numbers of its own.
   * @type {number | undefined}
   */
  let last;
  openSocket(seconds, (frame, socket) => {
    if (frame.startsWith(begin)) {
      const [, message] = JSON.parse(frame.slice(2));
      if (last === undefined) return;
      onMessage(message);
      if (last !== 0 && message.prev_seq !== last)
        addGap(`${channel} ${message.seq} follows ${message.prev_seq}, not ${last}`);
      last = message.seq;
    } else if (frame.startsWith('0')) socket.send('40{"lang":"en"}');
    else if (frame.startsWith('40')) socket.send(`421["subscribe",${JSON.stringify({ channel, symbol })}]`);
    else if (frame.startsWith('431')) {
      const [answer] = JSON.parse(frame.slice(3));
      if (check(answer, { 'a subscription is granted': ({ type }) => type === 'ok' })) subscribed.add(1);
      last = Number(answer.seq ?? 0);
    }
  });
}

/**
 * Opens the socket of a person for so many seconds and signs it in; every private event must follow the one before it.
 * @param {{ person: import('./calls.js').Person, seconds: number,
 *   onEvent: (event: string, payload: any) => void }} wanted
 */
export function watchPrivate({ person, seconds, onEvent }) {
  /** @type {number | undefined} */
  let last;
  openSocket(seconds, (frame, socket) => {
    if (frame.startsWith('0')) socket.send(`40${JSON.stringify(handshakeOf(person))}`);
    else if (frame.startsWith('40')) socket.send(`421["login",${JSON.stringify(person.key ?? person.id)}]`);
    else if (frame.startsWith('431')) {
      const [answer] = JSON.parse(frame.slice(3));
      if (check(answer, { 'a socket is signed in': ({ type }) => type === 'ok' })) subscribed.add(1);
      last = Number(answer.user_seq ?? 0);
    } else if (frame.startsWith('42[') && last !== undefined) {
      const [name, payload] = JSON.parse(frame.slice(2));
      // A heartbeat repeats the number of the last event, and public messages have none.
      if (name === 'heartbeat' || payload?.user_seq === undefined) return;
      onEvent(name, payload);
      // The state of the positions carries the number of the event before it.
      const expected = name === 'lever_trade' ? last : last + 1;
      if (payload.user_seq !== expected) addGap(`${name} ${payload.user_seq} follows ${last}`);
      last = payload.user_seq;
    }
  });
}

/**
 * Credentials of the handshake: a session, or an API key that signs a GET of the socket's path.
 * @param {import('./calls.js').Person} person
 */
function handshakeOf(person) {
  if (person.token) return { token: person.token, lang: 'en' };
  const headers = headersOf(person, 'GET', '/socket.io', '');
  return {
    key: person.key,
    timestamp: headers['x-api-timestamp'],
    signature: headers['x-api-signature'],
    lang: 'en',
  };
}
