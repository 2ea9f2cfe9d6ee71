// `npm start`: from a fresh clone to a running exchange in one process. Runs on Node 20 too: only Node's own modules.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from './lib/arguments.mjs';
import {
  become,
  checkPort,
  checkReachable,
  devSetting,
  ensureBuilt,
  ensureInstalled,
  fail,
  nodeFlags,
  programFile,
  progress,
  root,
} from './lib/clone.mjs';

const USAGE = `Usage: npm start

Installs and builds what is missing, and starts the whole exchange in one process on embedded defaults. It prints its
address and the demo accounts; Ctrl-C ends it, and \`npm run reset\` forgets its data.

Settings come from the environment, as .env.example lists them: PORT (8080), HOST, DATA_DIR (.data), PRICE_FEED.`;
readArguments(USAGE, {});
const [major] = process.versions.node.split('.').map(Number);
if (major < 20)
  fail(`Bourse needs Node 20 or newer to start (this is ${process.version}); it then brings its own Node 24.`);
checkReachable();
await checkPort();
await ensureInstalled();
await ensureBuilt(process.env.FIX_PORT ? ['exchange', 'fix'] : ['exchange']);
const main = programFile('exchange');
if (!existsSync(main)) fail(`${main} is missing after the build.`);
progress('Starting the exchange …');
become([...nodeFlags, main], {
  BOURSE_DEV: devSetting(),
  DATA_DIR: process.env.DATA_DIR ?? join(root, '.data'),
});
