// `npm run start:distributed`: PostgreSQL, Redis, Kafka and one process per service on this machine, without
// containers. A service that dies is started again; Ctrl-C ends everything, the edge first. --copies gateway=2 runs
// several processes of a service behind a balancer
import { fileURLToPath } from 'node:url';
import { readArguments } from './lib/arguments.mjs';
import {
  become,
  checkPort,
  checkReachable,
  ensureBuilt,
  ensureInstalled,
  fail,
  node24,
  progress,
  root,
  serviceNodeFlags,
  underNode24,
} from './lib/clone.mjs';
import { readCopies } from './lib/copies.mjs';
import { readManifests, servicesOf } from './lib/manifests.mjs';
import { bringParts } from './lib/parts.mjs';
import { SERVICES } from './lib/services.mjs';

const HELP = `Usage: npm run start:distributed -- [--copies <service>=<count>,…]

PostgreSQL, Redis, Kafka and one process per service on this machine, without containers. The address is
http://localhost:8080 (PORT); data lies in .data/distributed (DATA_DIR). Ctrl-C ends everything.

  --copies   several processes of services, behind a balancer: --copies gateway=2,spot-matching=2
             LEDGER_PARTITIONS and SPOT_PARTITIONS, fixed at the first start, are what copies share
  --help     this text`;
const { values } = readArguments(HELP, { options: { copies: { type: 'string', default: '' } } });
let copies;
try {
  copies = readCopies(values.copies, servicesOf(readManifests()));
} catch (error) {
  fail(error.message);
}

checkReachable();
await checkPort();
// They come over the network while the packages are installed and built.
const parts = bringParts(['redis', 'kafka'], { onProgress: progress });
if (parts.missing) fail(`${parts.missing}; or give KAFKA_BROKERS and REDIS_URL.`);
await ensureInstalled();
await ensureBuilt(process.env.FIX_PORT ? ['fix', ...SERVICES] : SERVICES);
await parts.all.catch((error) => fail(error.message));
if (!underNode24()) become([fileURLToPath(import.meta.url), ...process.argv.slice(2)]);
else
  await import('./lib/distributed.mjs')
    .then(({ run }) => run({ root, node24, nodeFlags: serviceNodeFlags, progress, copies }))
    .catch((error) => fail(error.part || error.forPeople ? error.message : error.stack));
