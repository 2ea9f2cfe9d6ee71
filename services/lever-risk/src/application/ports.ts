import { Database } from '@bourse/persistence';

/** The database of this service: schema `lever`. */
export abstract class LeverDatabase extends Database {}
