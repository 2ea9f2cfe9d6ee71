import { Database } from '@bourse/persistence';

/** The database of this service: schema `micro`. */
export abstract class MicroDatabase extends Database {}
