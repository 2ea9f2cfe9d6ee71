import type { AuditChecks } from '@bourse/messaging';
import { Database } from '@bourse/persistence';

/** The database of this service: schema `points`. */
export abstract class PointsDatabase extends Database {}

/** A check of this service's audit. */
export type PartCheck = AuditChecks[string] & {
  /** The query checks people with ids above `$1` up to `$2`, so that a round costs the same however many there are. */
  readonly byPeople?: boolean;
};
