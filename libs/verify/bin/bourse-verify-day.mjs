#!/usr/bin/env node
// `npx bourse-verify-day FILE… --key BASE64`: checks days of recorded prices as `GET /api/market/ticks/day` returns
// them, packed or not, without a server and with nothing but Node. Days that follow each other are given in their
// order: the chain must continue from one to the next. `--key` is a key of `GET /api/market/tick_keys`; several where
// it was changed. Ends with 0 when all holds, 1 when it does not, 2 when nothing could be checked.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';

const PACKED = 0x1f;

function usage(problem) {
  console.error(`${problem}\nUsage: bourse-verify-day FILE… --key BASE64 [--key BASE64]`);
  process.exit(2);
}

/** Its ticks and its last line, which signs. */
function readDay(path) {
  const bytes = readFileSync(path);
  const text = (bytes[0] === PACKED ? gunzipSync(bytes) : bytes).toString();
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  return { ticks: lines.slice(0, -1), end: lines.at(-1) };
}

/** Of ticks of version 1 the hash is without `at`, which they do not have. */
const hashOf = ({ prev_hash, id, symbol, time, price, at }) =>
  createHash('sha256')
    .update([prev_hash, id, symbol, time, price, ...(at === undefined ? [] : [at])].join('|'))
    .digest('hex');

function isSigned(hash, { public_key, signature }) {
  const x = Buffer.from(public_key, 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, Buffer.from(hash, 'hex'), key, Buffer.from(signature, 'base64'));
}

/** Returns the fault of a tick that follows another one; undefined: none. */
function faultOf(tick, before) {
  if (hashOf(tick) !== tick.hash) return `tick ${tick.id} does not have the hash of what it says: it was changed`;
  if (tick.time % 1_000 !== 0) return `tick ${tick.id} is not on a full second`;
  if (!before) return undefined;
  if (tick.symbol !== before.symbol) return `tick ${tick.id} is of ${tick.symbol}, not of ${before.symbol}`;
  if (BigInt(tick.id) !== BigInt(before.id) + 1n) return `between tick ${before.id} and ${tick.id} ticks are missing`;
  if (tick.prev_hash !== before.hash) return `tick ${tick.id} does not follow tick ${before.id}: the chain is broken`;
  if (!(tick.time > before.time)) return `tick ${tick.id} is not later than tick ${before.id}`;
  if (tick.at === undefined && before.at !== undefined)
    return `tick ${tick.id} does not say when its price was given, and tick ${before.id} does`;
  return undefined;
}

/** Returns the fault of a day that follows the last tick of the day before; null: none. */
function dayFault({ ticks, end }, before, keys) {
  if (ticks.length === 0 || typeof end?.signature !== 'string' || typeof end.public_key !== 'string')
    return 'its last line, which signs, is missing: the file is not whole';
  for (const [index, tick] of ticks.entries()) {
    const fault = faultOf(tick, ticks[index - 1] ?? before);
    if (fault !== undefined) return fault;
  }
  if (!isSigned(ticks.at(-1).hash, end)) return `the signature is not of tick ${ticks.at(-1).id} by the key it names`;
  return keys.includes(end.public_key) ? undefined : 'another key signed than those that were given';
}

let args;
try {
  args = parseArgs({ options: { key: { type: 'string', multiple: true, default: [] } }, allowPositionals: true });
} catch (error) {
  usage(error.message);
}
const { positionals: paths, values } = args;
if (paths.length === 0 || values.key.length === 0) usage('A day and a published key are needed.');
let before;
let holds = true;
for (const path of paths) {
  try {
    const day = readDay(path);
    const fault = dayFault(day, before, values.key);
    before = day.ticks.at(-1);
    holds &&= fault === undefined;
    console.log(fault === undefined ? `ok     ${path}: ${day.ticks.length} ticks` : `WRONG  ${path}: ${fault}`);
  } catch (error) {
    usage(`${path} cannot be read: ${error.message}`);
  }
}
console.log(holds ? 'The chain holds.' : 'The chain does not hold.');
process.exit(holds ? 0 : 1);
