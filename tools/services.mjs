// `npm run services`: writes what follows from the manifests of the services (`services/<name>/service.json`) into the
// files that cannot read them. With --check it writes nothing, names the files that differ, and ends with 1.
import { parseArgs } from 'node:util';
import { fail } from './lib/clone.mjs';
import { staleFiles, writeGenerated } from './lib/generated.mjs';

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
try {
  const stale = await staleFiles();
  if (!values.check) writeGenerated(stale);
  for (const { file } of stale) console.log(`${values.check ? 'differs' : 'written'}  ${file}`);
  if (values.check && stale.length > 0)
    fail('Files do not follow the manifests of the services: run npm run services.');
  if (stale.length === 0) console.log('Everything follows the manifests of the services.');
} catch (error) {
  fail(process.env.DEBUG ? error.stack : error.message);
}
