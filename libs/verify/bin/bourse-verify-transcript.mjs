#!/usr/bin/env node
// `npx bourse-verify-transcript FILE… --key BASE64`: checks transcripts of deals as `GET /api/c2c/transcript` returns
// them, without a server and with nothing but Node. `--key` is a key of `GET /api/c2c/transcript_keys`; several where
// it was changed. Ends with 0 when all hold, 1 when one does not, 2 when nothing could be checked.
import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const LAST_LINE = /\n<!-- bourse-transcript key=([A-Za-z0-9+/]{43}=) signature=([A-Za-z0-9+/]{86}==) -->\n$/;

function usage(problem) {
  console.error(`${problem}\nUsage: bourse-verify-transcript FILE… --key BASE64 [--key BASE64]`);
  process.exit(2);
}

/** Returns the fault of a transcript; undefined: none. */
function faultOf(bytes, keys) {
  // One character a byte: the signature is over bytes.
  const text = bytes.toString('latin1');
  const [, publicKey, signature] = LAST_LINE.exec(text) ?? [];
  if (publicKey === undefined) return 'its last line, which signs, is missing: the file is not whole';
  const signed = bytes.subarray(0, text.lastIndexOf('\n', text.length - 2) + 1);
  const x = Buffer.from(publicKey, 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  if (!verify(null, signed, key, Buffer.from(signature, 'base64'))) return 'it was changed after it was signed';
  return keys.includes(publicKey) ? undefined : 'another key signed than those that were given';
}

let args;
try {
  args = parseArgs({ options: { key: { type: 'string', multiple: true, default: [] } }, allowPositionals: true });
} catch (error) {
  usage(error.message);
}
const { positionals: paths, values } = args;
if (paths.length === 0 || values.key.length === 0) usage('A transcript and a published key are needed.');
let holds = true;
for (const path of paths) {
  try {
    const fault = faultOf(readFileSync(path), values.key);
    holds &&= fault === undefined;
    console.log(fault === undefined ? `ok     ${path}` : `WRONG  ${path}: ${fault}`);
  } catch (error) {
    usage(`${path} cannot be read: ${error.message}`);
  }
}
process.exit(holds ? 0 : 1);
