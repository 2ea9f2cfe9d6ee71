import { expect, test } from '@jest/globals';
import type { Socket } from 'socket.io';
import { backlogOf, dropDepthFrames } from './backlog.js';
import { FrameAllowance } from './frames.js';

test('what waits is counted, and only depth frames are dropped [SOCKET-013]', () => {
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

test('frames: a start of twenty, then ten a second, a flood is told apart [SOCKET-012]', () => {
  const frames = new FrameAllowance(0);
  expect(Array.from({ length: 25 }, () => frames.admit(0)).filter(Boolean)).toHaveLength(20);
  expect(Array.from({ length: 25 }, () => frames.admit(2_000)).filter(Boolean)).toHaveLength(15);
  expect(frames.flooding).toBe(false);
  for (let sent = 0; sent < 150; sent += 1) frames.admit(2_000);
  expect(frames.flooding).toBe(true);
});
