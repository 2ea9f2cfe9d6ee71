import { brokerFaults, poison, reordered, repeated, slowConsumer } from './broker.js';
import { clockJumps } from './clocks.js';
import { damage } from './damage.js';
import { acceptedCopy, databaseFaults, setBack } from './database.js';
import type { Fault } from './fault.js';
import { kills, rolling, stops } from './kills.js';
import { starved } from './limits.js';
import { redisFaults } from './redis.js';
import { gateways, moves, scaling, upgrade } from './instances.js';
import { floods, halfOpen } from './sockets.js';

/** In the order in which they run: faults that may need an operator's repair are last. */
export const FAULTS: readonly Fault[] = [
  kills,
  stops,
  databaseFaults,
  redisFaults,
  repeated,
  reordered,
  clockJumps,
  slowConsumer,
  halfOpen,
  starved,
  floods,
  rolling,
  scaling,
  gateways,
  upgrade,
  // Behind the upgrade: the version before does not know of moves.
  moves,
  brokerFaults,
  poison,
  damage,
  setBack,
  acceptedCopy,
];
