// The part of this service in the simulator: its use cases over tables in memory. Only the simulator imports it.
import { simulateParts } from '@bourse/ledger-client';
import { ACCEPTORS_PART } from './simulation/acceptors.js';
import { DEALS } from './simulation/deals.js';
import { SHOPS } from './simulation/shops.js';

export const SIMULATED = simulateParts('c2c-escrow', 'escrow', [SHOPS, ACCEPTORS_PART, DEALS]);
