import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { GuardedRow } from '@bourse/contract';
import type { ApprovedChange, ChangeFacts, GuardedPayload } from '@bourse/messaging';
import type { Database, Tx } from '@bourse/persistence';
import {
  Integer,
  Notice,
  readFields,
  Reason,
  Refused,
  type Caller,
  type Clock,
  type FieldsClass,
} from '@bourse/platform';
import { columnsOf } from './column.js';
import { markCarriedOut, OutdatedChange, pendingOf, type GuardedChanges } from './guarded-changes.js';
import { recordChange } from './operator-trail.js';

/** A row before and after a change, in the words of the contract. */
export interface SavedRow {
  readonly id: string;
  readonly before: object;
  readonly after: object;
}

const ID_MAX = 999_999_999;

/** The fields of every call that changes a row of the catalog; a class that extends it has the columns of a list. */
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
  /** The fields of its call; its columns say which of them are guarded. */
  abstract readonly body: FieldsClass<B>;
  /**
   * Writes one row in the transaction of its line in the audit log, and publishes the row to other services. Columns
   * that the call does not name stay as they are. Throws `common.notFound` without such a row. The transaction may be
   * undone afterwards: work that has to follow the commit belongs in `tx.afterCommit`.
   */
  abstract save(tx: Tx, body: B): Promise<SavedRow>;
  /** Runs after the commit, before the call is answered. */
  saved(): Promise<void> | void {
    /* most lists are read from their table each time */
  }
}

type CatalogPayload = Extract<GuardedPayload, { kind: 'catalog' }>;
/** The columns that a save changes, before and after, in the words of the contract. */
interface ChangedColumns {
  readonly id: string;
  readonly before: ChangeFacts;
  readonly after: ChangeFacts;
}
/** Thrown to undo a transaction that was run only for its result. */
class Undone extends Error {
  constructor(readonly columns: ChangedColumns) {
    super('a save was tried and undone');
  }
}

/** Changes rows of the lists that one service owns. */
@Injectable()
export class CatalogChanges {
  // A list of lists holds bodies of several classes, and no type covers all of them.
  // oxlint-disable-next-line typescript/no-explicit-any
  private readonly lists = new Map<string, CatalogList<any>>();

  constructor(
    private readonly database: Database,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly service: string,
    private readonly guarded: GuardedChanges,
  ) {}

  /** Registers a list whose rows are changed here; once for each, before the first call. */
  register<B extends CatalogBody>(list: CatalogList<B>): void {
    this.lists.set(list.name, list);
  }

  /** Rows with what is guarded in them, and what waits for a second admin. */
  async rows<R extends { readonly id: number }>(
    list: CatalogList,
    rows: readonly R[],
  ): Promise<readonly (R & GuardedRow)[]> {
    const guarded = guardedFields(list);
    const pending = guarded.length > 0 ? await this.guarded.pending([callOf(list)]) : new Map<string, never>();
    return rows.map((row) => ({
      ...row,
      guarded: guarded.length > 0 ? 1 : 0,
      guarded_fields: guarded,
      pending: pendingOf(pending.get(targetOf(list, row.id)), (after) => after),
    }));
  }

  /**
   * Changes one row of a list, with its line in the audit log: it lists only the changed columns [SETTING-010]. A save
   * that changes a guarded column waits as a whole for a second admin: the answer has the approval's id [HARD-461].
   */
  async save<B extends CatalogBody>(list: CatalogList<B>, body: B, operator: Caller): Promise<Notice> {
    const by = { operatorId: operator.userId, operator: operator.accountNumber, reason: body.reason };
    const guarded = guardedFields(list);
    const waits = await this.undoing(async () => {
      await this.database.transaction(async (tx) => {
        const columns = changed(await list.save(tx, body));
        if (guarded.some((name) => name in columns.after)) throw new Undone(columns);
        this.record(tx, list, columns, by);
      });
    });
    if (!waits) {
      await list.saved();
      return new Notice('admin.catalogSaved');
    }
    const approvalId = await this.guarded.ask(by, {
      call: callOf(list),
      target: targetOf(list, body.id),
      after: waits.after,
      payload: {
        service: this.service,
        kind: 'catalog',
        list: list.name,
        id: body.id,
        fields: Object.fromEntries(Object.entries(waits.after).map(([name, value]) => [name, String(value)])),
      },
    });
    return new Notice('admin.approvalWaiting', { approval_id: approvalId });
  }

  /** The columns of a waiting change as they are in force; null: its row is gone, or its bounds no longer hold. */
  async currentValue(payload: CatalogPayload): Promise<ChangeFacts | null> {
    const list = this.listOf(payload);
    try {
      const tried = await this.undoing(() =>
        this.database.transaction(async (tx) => {
          const saved = await list.save(tx, bodyOf(list, payload));
          throw new Undone({ id: saved.id, before: named(saved.before, payload), after: {} });
        }),
      );
      return tried?.before ?? null;
    } catch (error) {
      if (error instanceof Refused) return null;
      throw error;
    }
  }

  /** Carries an approved change out, once. @throws OutdatedChange */
  async carryOut(payload: CatalogPayload, { approvalId, before, by, approvedBy }: ApprovedChange): Promise<void> {
    const list = this.listOf(payload);
    try {
      await this.database.transaction(async (tx) => {
        if (!(await markCarriedOut(tx, approvalId))) return;
        const saved = await list.save(tx, bodyOf(list, payload));
        if (!isDeepStrictEqual(named(saved.before, payload), before)) throw new OutdatedChange();
        this.record(tx, list, changed(saved), by, { approval_id: approvalId, approved_by: approvedBy });
      });
    } catch (error) {
      if (error instanceof Refused) throw new OutdatedChange(error.message);
      throw error;
    }
    await list.saved();
  }

  private record(
    tx: Tx,
    list: CatalogList,
    { id, before, after }: ChangedColumns,
    by: ApprovedChange['by'],
    more: ChangeFacts = {},
  ): void {
    recordChange(tx, {
      service: this.service,
      action: `catalog.${list.name}.save`,
      target: targetOf(list, id),
      before,
      after: { ...after, ...more },
      by,
      at: this.clock.now(),
    });
  }

  /** The columns of a save that was tried and undone; null: it was committed. */
  private async undoing(work: () => Promise<void>): Promise<ChangedColumns | null> {
    try {
      await work();
      return null;
    } catch (error) {
      if (error instanceof Undone) return error.columns;
      throw error;
    }
  }

  private listOf({ list }: CatalogPayload): CatalogList {
    const found = this.lists.get(list) as CatalogList | undefined;
    if (!found) throw new Error(`invariant: ${this.service} has no list ${list}`);
    return found;
  }
}

const callOf = ({ name }: Pick<CatalogList, 'name'>): string => `catalog/${name}/save`;
const targetOf = ({ name }: Pick<CatalogList, 'name'>, id: number | string): string => `${name} ${id}`;
const guardedFields = ({ body }: Pick<CatalogList, 'body'>): readonly string[] =>
  [...columnsOf(body)].filter(([, { guarded }]) => guarded).map(([name]) => name);

function changed({ id, before, after }: SavedRow): ChangedColumns {
  const [old, fresh] = [before, after] as readonly ChangeFacts[];
  const names = Object.keys(fresh!).filter((name) => !isDeepStrictEqual(old![name], fresh![name]));
  const of = (row: ChangeFacts): ChangeFacts => Object.fromEntries(names.map((name) => [name, row[name]]));
  return { id, before: of(old!), after: of(fresh!) };
}
/** The columns that a waiting change names, in the order of its fields. */
const named = (row: object, { fields }: CatalogPayload): ChangeFacts =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, (row as ChangeFacts)[name]]));
/** The body of the call as it would be sent today. @throws Refused where its bounds no longer hold. */
const bodyOf = (list: CatalogList, { id, fields }: CatalogPayload): CatalogBody =>
  readFields(list.body, { ...fields, id: String(id), reason: 'an approved change' });
