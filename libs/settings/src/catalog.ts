import { Injectable } from '@nestjs/common';
import type { Database, Tx } from '@bourse/persistence';
import { Integer, Notice, Reason, type Caller, type Clock } from '@bourse/platform';
import { recordChange } from './operator-trail.js';

/** A row as it stood and as it stands, in the words of the contract. */
export interface SavedRow {
  readonly id: string;
  readonly before: object;
  readonly after: object;
}

const ID_MAX = 999_999_999;

/** What every call names that changes a row of the catalog; the columns of a list stand in a class that extends it. */
export class CatalogBody {
  @Integer('common.notFound', { max: ID_MAX }) id!: number;
  @Reason() reason!: string;
}

/**
 * One list of the catalog (api §2.12), provided by the service whose schema holds it: currencies, pairs, networks,
 * countries, and what later products add.
 */
export abstract class CatalogList<B extends CatalogBody = CatalogBody> {
  /** Its name in the address of the calls: `currencies`. */
  abstract readonly name: string;
  /**
   * Writes one row in the transaction of its line in the audit log, and publishes what other services copy. Columns
   * that the call does not name stay as they are. Throws `common.notFound` without such a row.
   */
  abstract save(tx: Tx, body: B): Promise<SavedRow>;
  /** Runs after the commit, before the call is answered. */
  saved(): Promise<void> | void {
    /* most lists are read from their table each time */
  }
}

/** Changes rows of the lists that one service owns. */
@Injectable()
export class CatalogChanges {
  constructor(
    private readonly database: Database,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly service: string,
  ) {}

  /** Changes one row of a list, with its line in the audit log: only what has changed is told there [SETTING-010]. */
  async save<B extends CatalogBody>(list: CatalogList<B>, body: B, operator: Caller): Promise<Notice> {
    await this.database.transaction(async (tx) => {
      const saved = await list.save(tx, body);
      const [before, after] = [saved.before, saved.after] as Readonly<Record<string, unknown>>[];
      const changed = Object.keys(after!).filter((key) => JSON.stringify(before![key]) !== JSON.stringify(after![key]));
      const of = (row: typeof after): object => Object.fromEntries(changed.map((key) => [key, row![key]]));
      recordChange(tx, {
        service: this.service,
        action: `catalog.${list.name}.save`,
        target: `${list.name} ${saved.id}`,
        before: of(before),
        after: of(after),
        by: { operatorId: operator.userId, operator: operator.accountNumber, reason: body.reason },
        at: this.clock.now(),
      });
    });
    await list.saved();
    return new Notice('admin.catalogSaved');
  }
}
