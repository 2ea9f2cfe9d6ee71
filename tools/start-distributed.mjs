// `npm run start:distributed`: PostgreSQL, Redis, Kafka and one process per service on this machine, without
// containers. A service that dies is started again; Ctrl-C ends everything, the edge first.
import { fileURLToPath } from 'node:url';
import {
  become,
  checkPort,
  checkReachable,
  ensureBuilt,
  ensureInstalled,
  fail,
  node24,
  nodeFlags,
  progress,
  root,
  underNode24,
} from './lib/clone.mjs';
import { lackingPrograms } from './lib/programs.mjs';
import { SERVICES } from './lib/services.mjs';

checkReachable();
const lacking = lackingPrograms(process.env);
if (lacking) fail(lacking);
await checkPort();
await ensureInstalled();
await ensureBuilt(SERVICES);
if (!underNode24()) become([fileURLToPath(import.meta.url)]);
else
  await import('./lib/distributed.mjs')
    .then(({ run }) => run({ root, node24, nodeFlags, progress }))
    .catch((error) => fail(error.part || error.forPeople ? error.message : error.stack));
