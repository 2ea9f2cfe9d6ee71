// `npx bourse tick-key`: the keys that sign the recorded prices, with their periods. --rotate requests another one: the
// recorder of prices makes it with its next second, and a running exchange continues (docs/tick-keys.md). Works beside
// a running exchange; if none runs, the first second of the next start has the new key.
//   --data-dir DIR   the install's folder
import { parseArgs } from 'node:util';
import { fail } from './lib/clone.mjs';
import { defaultDataDir, withDatabase } from './lib/install-database.mjs';

const { values } = parseArgs({
  options: {
    rotate: { type: 'boolean', default: false },
    'data-dir': { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

try {
  const { askForTickKey, listTickKeys } = await import('@bourse/market-data/tick-keys');
  const keys = await withDatabase(values['data-dir'] ?? defaultDataDir(), [], async (config, url) => {
    if (values.rotate) await askForTickKey(config, url);
    return listTickKeys(config, url);
  });
  if (values.json) console.log(JSON.stringify({ keys, asked: values.rotate }));
  else show(keys);
} catch (error) {
  fail(process.env.DEBUG ? error.stack : error.message);
}

function show(keys) {
  for (const { publicKey, from, until } of keys)
    console.log(`  ${publicKey}  ${from.toISOString()}  ${until?.toISOString() ?? 'signs now'}`);
  if (keys.length === 0) console.log('  No price was recorded yet; the first one brings a key.');
  if (values.rotate) console.log('A new key is requested. It signs from the next recorded second on.');
}
