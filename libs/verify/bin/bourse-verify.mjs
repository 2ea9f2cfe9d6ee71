#!/usr/bin/env node
// `npx bourse-verify receipt.json [--key BASE64]`: checks the receipt of a seconds contract, without a server and
// without a build: Node reads the verifier's source as it is. Ends with 0 when it holds, 1 when it does not, 2 when
// nothing could be checked.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { verifyReceipt } from '../src/receipt.ts';

const WORDS = {
  shape: 'the file is a receipt with its ticks',
  hashes: 'every tick has the hash of its contents',
  links: 'the chain of ticks has no gap',
  signature: 'the last tick is signed',
  key: 'the exchange published the key of the signature',
  opening: 'the contract opened at the first price after its acceptance',
  ticks: 'all prices of its last five seconds decided',
  end: 'the median of these prices gives the result',
  payout: 'the payout follows from the result',
};

function usage(problem) {
  console.error(`${problem}\nUsage: bourse-verify receipt.json [--key BASE64]`);
  process.exit(2);
}

let args;
try {
  args = parseArgs({ options: { key: { type: 'string' } }, allowPositionals: true });
} catch (error) {
  usage(error.message);
}
const [path] = args.positionals;
if (args.positionals.length !== 1) usage('One receipt is checked at a time.');
let file;
try {
  file = JSON.parse(readFileSync(path, 'utf8'));
} catch (error) {
  usage(`${path} cannot be read: ${error.message}`);
}
const findings = await verifyReceipt(file, args.values.key ?? null);
for (const { check, fault } of findings) console.log(fault === null ? `ok     ${WORDS[check]}` : `WRONG  ${fault}`);
const holds = findings.every(({ fault }) => fault === null);
console.log(holds ? 'The receipt holds.' : 'The receipt does not hold.');
process.exit(holds ? 0 : 1);
