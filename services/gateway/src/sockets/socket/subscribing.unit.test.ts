import { expect, test } from '@jest/globals';
import type { PublicStreams } from '../application/public-streams.js';
import type { ClientSocket } from './client-socket.js';
import { Subscribing } from './subscribing.js';

const streams = { start: () => ({ seq: 1, snapshot: null, missed: [] }) } as unknown as PublicStreams;
const subscribing = new Subscribing(streams, (symbol) => symbol.startsWith('P'));
const depth = (at: number): object => ({ channel: 'depth', symbol: `P${at}/USDT` });

function socketOf() {
  const rooms = new Set<string>(['default', 'default:depth']);
  const events: unknown[] = [];
  const socket = {
    data: { subscriptions: new Map(), slow: false },
    join: (room: string) => rooms.add(room),
    leave: (room: string) => rooms.delete(room),
    emit: (_: string, payload: unknown) => events.push(payload),
  } as unknown as ClientSocket;
  const ask = (payload: unknown): Record<string, unknown> => {
    let answer = {};
    subscribing.answer(socket, payload, (given) => (answer = given));
    return answer;
  };
  return { socket, rooms, events, ask };
}

test('a socket has at most two hundred streams; more are refused, and the old ones stay [CLIENT-110]', () => {
  const { rooms, ask } = socketOf();
  for (let at = 0; at < 200; at += 50)
    expect(ask({ channels: Array.from({ length: 50 }, (_, index) => depth(at + index)) })).toMatchObject({
      refused: [],
    });
  expect(rooms.size).toBe(200);
  expect(ask({ channels: [depth(0), depth(200)] })).toMatchObject({
    ok: [{ channel: 'depth', symbol: 'P0/USDT', interval: '' }],
    refused: [{ channel: 'depth', symbol: 'P200/USDT', interval: '', key: 'common.tooMany' }],
  });
  expect(ask(depth(200))).toEqual({ type: 'error', key: 'common.tooMany' });
  expect(rooms.size).toBe(200);
});

test('a frame that begins nothing leaves the default broadcast as it is [CLIENT-110]', () => {
  const { rooms, ask } = socketOf();
  expect(ask({ channels: [{ channel: 'depth', symbol: 'NO/PAIR' }, null, 5, { channel: {} }] })).toEqual({
    ok: [],
    refused: [
      { channel: 'depth', symbol: 'NO/PAIR', interval: '', key: 'pair.delisted' },
      ...[1, 2, 3].map(() => ({ channel: '', symbol: '', interval: '', key: 'common.fieldInvalid' })),
    ],
  });
  expect([...rooms]).toEqual(['default', 'default:depth']);
});

test('without an acknowledgement each stream of a frame is answered by an event [CLIENT-110]', () => {
  const { socket, events } = socketOf();
  subscribing.answer(socket, { channels: [depth(1), { channel: 'depth', symbol: 'NO/PAIR' }] }, undefined);
  expect(events).toEqual([
    { type: 'ok', channel: 'depth', symbol: 'P1/USDT', interval: '', seq: 1, snapshot: null },
    { type: 'error', channel: 'depth', symbol: 'NO/PAIR', interval: '', key: 'pair.delisted' },
  ]);
});
