import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { BASE, call, post } from './client.js';
import { createTrader, done, FUND } from './people.js';

test(
  'the bot in Python places one order under its key, is refused by key, changes and cancels [API-050]',
  async () => {
    const { token } = await createTrader({ change: { 1: '1', 3: '10000' } });
    const made = await done(
      post('/api/apikey', { label: 'python', permissions: 'read,trade', password: FUND }, { token }),
    );
    const { key, secret } = made.message;
    try {
      const { stdout, stderr } = await promisify(execFile)(
        'python3',
        ['-B', '-W', 'error', fileURLToPath(new URL('../../../../examples/python/bot.py', import.meta.url))],
        { env: { ...process.env, BOURSE_URL: BASE, BOURSE_API_KEY: key, BOURSE_API_SECRET: secret }, timeout: 40_000 },
      );
      expect(stderr).toBe('');
      expect(stdout).toMatch(
        /^Check value: e4062579\nBTC\/USDT: [\d.]+ bid, [\d.]+ asked\n(?: {2}\w+: [\d.]+ free, [\d.]+ held\n)+Order rests at its price: True\nThe same command again answers the same order: True\nIt is open once: True\nToo much is refused: balance\.insufficient\nCancelled: True\nChanged over the socket: True\nCancelled over the socket: True\nTold by the stream: \[0, 1\]\n$/,
      );
    } finally {
      await call('DELETE', '/api/apikey', { key, password: FUND }, { token });
    }
  },
  testTimeoutMs(15_000),
);
