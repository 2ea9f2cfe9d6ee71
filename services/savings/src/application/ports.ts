import { Database } from '@bourse/persistence';

/** The database of this service: schema `savings`. */
export abstract class SavingsDatabase extends Database {}
