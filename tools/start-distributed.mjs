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
import { bringParts } from './lib/parts.mjs';
import { SERVICES } from './lib/services.mjs';

checkReachable();
await checkPort();
// They come over the network while the packages are installed and built.
const parts = bringParts(['redis', 'kafka'], { onProgress: progress });
if (parts.missing) fail(`${parts.missing}; or give KAFKA_BROKERS and REDIS_URL.`);
await ensureInstalled();
await ensureBuilt(SERVICES);
await parts.all.catch((error) => fail(error.message));
if (!underNode24()) become([fileURLToPath(import.meta.url)]);
else
  await import('./lib/distributed.mjs')
    .then(({ run }) => run({ root, node24, nodeFlags, progress }))
    .catch((error) => fail(error.part || error.forPeople ? error.message : error.stack));
