// `npx bourse keys`: makes a key for each service of the distributed run, by which it authenticates to the others
// (docs/decisions/0064). Each private key is for the process of its service only; the public keys are for all. Nothing
// is stored. --json as JSON, for a script that fills a store of secrets
import { parseArgs } from 'node:util';
import { makeServiceKey, publicKeyOf, SERVICE_NAMES } from '@bourse/platform';

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
const keys = Object.fromEntries(SERVICE_NAMES.map((name) => [name, makeServiceKey()]));
const publicKeys = Object.fromEntries(SERVICE_NAMES.map((name) => [name, publicKeyOf(keys[name])]));
if (values.json) console.log(JSON.stringify({ keys, publicKeys }, null, 2));
else {
  console.log('For the process of each service alone:');
  for (const name of SERVICE_NAMES) console.log(`  ${name.padEnd(14)} INTERNAL_KEY=${keys[name]}`);
  console.log(`\nFor all of them:\n  INTERNAL_PUBLIC_KEYS=${JSON.stringify(publicKeys)}`);
}
