import { Injectable } from '@nestjs/common';
import { OwnUploads } from '@bourse/messaging';
import { Clock, Config, keptSince, Metrics, type Retained } from '@bourse/platform';
import { ApprovalStore } from '../application/approval-ports.js';
import { AuthDatabase } from '../../shared/application/ports/database.js';

const PIECE = 1_000;
const PICTURES = 100;
const DAY_MS = 24 * 3_600_000;

/**
 * Deletes data whose retention has ended (`RETENTION_DAYS`), in pieces, and records each deletion in `retention_run`:
 * kind, limit, count. A kind without anything to delete gets one line per day, as a proof that it was checked
 * (docs/data-keys.md) [HARD-316].
 */
@Injectable()
export class Retention {
  constructor(
    private readonly database: AuthDatabase,
    private readonly approvals: ApprovalStore,
    private readonly uploads: OwnUploads,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly metrics: Metrics,
  ) {}

  /** Sessions, codes and failures age by the clock of sessions, everything else by business time. */
  async run(): Promise<void> {
    const [sessions, business] = [this.clock.sessions(), this.clock.now()];
    await this.approvals.expire(this.database, business);
    await this.delete('codes', sessions, [
      ['code', 'created_at'],
      ['passkey_challenge', 'created_at'],
    ]);
    await this.delete('failures', sessions, [['failure', 'at']]);
    await this.delete('sessions', sessions, [
      ['session', 'created_at'],
      ['operator_session', 'created_at'],
      ['authorization_code', 'created_at'],
    ]);
    await this.delete('devices', sessions, [
      ['device', 'last_at'],
      ['operator_device', 'last_at'],
    ]);
    await this.delete('letters', sessions, [['letter', 'at']]);
    await this.delete('api_keys', sessions, [['api_key', 'deleted_at']]);
    await this.delete('approvals', business, [['approval', 'decided_at']]);
    await this.pictures(business);
  }

  private async delete(what: Retained, now: number, places: readonly (readonly [string, string])[]): Promise<void> {
    const until = new Date(keptSince(this.config.retentionDays, what, now));
    let count = 0;
    for (const [table, column] of places)
      for (let gone = PIECE; gone === PIECE; count += gone)
        gone = await this.database.execute(
          `delete from ${table} where ctid = any(array(select ctid from ${table} where ${column} < $1 limit ${PIECE}))`,
          [until],
        );
    await this.note(what, until, count, now);
  }

  /**
   * The gateway stores the pictures of documents: they are deleted there first, then their names here, so that no
   * picture is left without a name.
   */
  private async pictures(now: number): Promise<void> {
    const until = new Date(keptSince(this.config.retentionDays, 'kyc_pictures', now));
    let count = 0;
    for (let size = PICTURES; size === PICTURES;) {
      const rows = await this.database.query<{ user_id: string; names: string[] }>(
        `select user_id, array_remove(array[front_pic, reverse_pic, hand_pic], '') as names from identity
         where decided_at < $1 and (front_pic <> '' or reverse_pic <> '' or hand_pic <> '')
         order by user_id limit ${PICTURES}`,
        [until],
      );
      size = rows.length;
      if (size === 0) break;
      count += await this.uploads.forget(rows.flatMap(({ names }) => names));
      await this.database.execute(
        `update identity
          set front_pic = '', reverse_pic = '', hand_pic = ''
          where user_id = any($1) and decided_at < $2`,
        [rows.map((row) => row.user_id), until],
      );
    }
    await this.note('kyc_pictures', until, count, now);
  }

  private async note(what: Retained, until: Date, count: number, now: number): Promise<void> {
    this.metrics
      .counter('bourse_retention_deleted_total', 'What was deleted because its time was over', ['what'])
      .inc({ what }, count);
    await this.database.execute(
      `insert into retention_run (what, until, count, at) select $1, $2, $3, $4
       where $3 > 0 or not exists (select 1 from retention_run where what = $1 and at > $5)`,
      [what, until, count, new Date(now), new Date(now - DAY_MS)],
    );
  }
}
