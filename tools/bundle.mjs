// `node tools/bundle.mjs [names]`: joins each program, `exchange` or a service, with all its packages into
// `dist/<name>.js`. Most of a start was the reading of 2,900 modules (docs/decisions/0100).
// `--begin`: notes the sources that `npm run build` begins with, for its end to compare.
import { build } from 'esbuild';
import { bundleOptions } from './lib/bundling.mjs';
import { beginBuild, endBuild } from './lib/clone.mjs';
import { PROGRAMS } from './lib/services.mjs';

const asked = process.argv.slice(2);
if (asked[0] === '--begin') {
  beginBuild();
  process.exit();
}
const names = asked.length > 0 ? asked : PROGRAMS;
const { metafile } = await build(bundleOptions(names));
// Named bundles are made of packages that were built and noted before.
if (asked.length === 0) endBuild();
const outputs = Object.values(metafile.outputs).filter(({ inputs }) => Object.keys(inputs).length > 0);
const bytes = outputs.reduce((sum, output) => sum + output.bytes, 0);
console.log(
  `${names.join(', ')}: bundles of ${Object.keys(metafile.inputs).length} ` +
    `modules, ${(bytes / 1024 ** 2).toFixed(1)} MB.`,
);
