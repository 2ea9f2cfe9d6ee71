import { Database } from '@bourse/persistence';

/** The database of this service: schema `escrow`. */
export abstract class C2cDatabase extends Database {}
