// Written by `npm run services` from the manifests of the services (service.json): change those.
import type { AnySimulatedService } from '@bourse/ledger-client';
import { SIMULATED as service1 } from '@bourse/wallet-ledger/simulation';
import { SIMULATED as service2 } from '@bourse/spot-matching/simulation';
import { SIMULATED as service3 } from '@bourse/lever-risk/simulation';
import { SIMULATED as service4 } from '@bourse/micro-settlement/simulation';
import { SIMULATED as service5 } from '@bourse/c2c-escrow/simulation';
import { SIMULATED as service6 } from '@bourse/service-template/simulation';
import { SIMULATED as service7 } from '@bourse/savings/simulation';
import { SIMULATED as service8 } from '@bourse/points/simulation';

/** The services that run in every simulated exchange. */
export const SERVICES: readonly AnySimulatedService[] = [
  service1,
  service2,
  service3,
  service4,
  service5,
  service6,
  service7,
  service8,
];
