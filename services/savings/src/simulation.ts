// What the simulator runs of this service. Nobody else imports this.
import type { SimulatedService } from '@bourse/ledger-client';

export const SIMULATED: SimulatedService<null> = {
  service: 'savings',
  schema: 'savings',
  sagas: true,
  reads: [],
  start: () => null,
  check: () => [],
};
