import { expect, test } from '@jest/globals';
import type { Socket } from 'socket.io';
import { backlogOf, dropDepthFrames } from './backlog.js';
import { FrameAllowance } from './frames.js';

test('queued bytes are counted, and only depth frames are dropped [SOCKET-013]', () => {
  const conn = {
    writeBuffer: [
      { data: '2["market_depth",{}]' },
      { data: '2["match_trade",{}]' },
      { data: undefined },
      { data: '2["market_depth",{"b":[]}]' },
    ],
    transport: { socket: { bufferedAmount: 100 } },
  };
  const socket = { conn } as unknown as Socket;
  expect(backlogOf(socket)).toBe(100 + 20 + 19 + 26);
  dropDepthFrames(socket);
  expect(conn.writeBuffer).toEqual([{ data: '2["match_trade",{}]' }, { data: undefined }]);
  expect(backlogOf({ conn: {} } as unknown as Socket)).toBe(0);
});

test('frames: a start of twenty, then ten a second; a refused one costs nothing [SOCKET-012] [CLIENT-110]', () => {
  const frames = new FrameAllowance(0);
  expect(Array.from({ length: 90 }, () => frames.admit(0)).filter(Boolean)).toHaveLength(20);
  expect(frames.retryMs).toBe(100);
  expect(frames.admit(99)).toBe(false);
  expect(frames.admit(100)).toBe(true);
  expect(frames.admit(100)).toBe(false);
  expect(Array.from({ length: 25 }, () => frames.admit(1_100)).filter(Boolean)).toHaveLength(10);
  expect(frames.isFlooding).toBe(false);
});

test('a hundred refused frames within ten seconds are a flood, over a longer time they are none [CLIENT-110]', () => {
  const steady = new FrameAllowance(0);
  for (let at = 0; at < 60_000; at += 60) {
    steady.admit(at);
    expect(steady.isFlooding).toBe(false);
  }
  const flood = new FrameAllowance(0);
  for (let sent = 0; sent < 119; sent += 1) flood.admit(0);
  expect(flood.isFlooding).toBe(false);
  expect(flood.admit(0)).toBe(false);
  expect(flood.isFlooding).toBe(true);
});
