import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { matchLines } from '../match-lines.js';
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
        matchLines(
          /Check value: e4062579/,
          /BTC\/USDT: [\d.]+ bid, [\d.]+ asked/,
          /(?: {2}\w+: [\d.]+ free, [\d.]+ held\n)+Order rests at its price: True/,
          /The same command again answers the same order: True/,
          /It is open once: True/,
          /Too much is refused: balance\.insufficient/,
          /Cancelled: True/,
          /Changed over the socket: True/,
          /Cancelled over the socket: True/,
          /Told by the stream: \[0, 1\]/,
        ),
      );
    } finally {
      await call('DELETE', '/api/apikey', { key, password: FUND }, { token });
    }
  },
  testTimeoutMs(15_000),
);
