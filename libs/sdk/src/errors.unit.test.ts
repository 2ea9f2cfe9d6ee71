import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { GATE_KEYS } from './errors.js';

/** Clients that need no package, each with a list of its own. */
const CLIENTS = ['api-client/bourse.mjs', 'python/bourse.py', 'python/ccxt/bourse.mjs'];

test.each(CLIENTS)('the refusals of gates in examples/%s are those of the SDK [CLIENT-052]', (client) => {
  const text = readFileSync(new URL(`../../../examples/${client}`, import.meta.url), 'utf8');
  const [list = ''] = /['"]apikey\.signature['"],\s[^)\]]*['"]pay\.missing['"]/.exec(text) ?? [];
  const keys = [...list.matchAll(/['"]([\w.]+)['"]/g)].map(([, key]) => key);
  // The class for ccxt counts a pause of the market among them.
  expect(keys.filter((key) => key !== 'market.paused')).toEqual(GATE_KEYS);
});
