// What the simulator runs of this service. Nobody else imports this.
import type { SimulatedService } from '@bourse/ledger-client';

export const SIMULATED: SimulatedService<null> = {
  service: 'points',
  schema: 'points',
  sagas: true,
  reads: [],
  start: () => null,
  check: () => [],
};
