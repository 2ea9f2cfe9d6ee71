import { Injectable } from '@nestjs/common';
import type { Tx } from '@bourse/persistence';
import { Clock, Config, keptSince, SealBroken, sealOf, type DataSeal } from '@bourse/platform';
import { recordChange } from '@bourse/settings';
import { UploadStore, type NewUpload, type StoredImage } from '../application/uploads.js';
import { GatewayDatabase } from '../../shared/persistence/gateway-database.js';

const PURPOSE = 'upload';
const PIECE = 20;

/**
 * Images as rows: they are few and small, and are covered by the backups. Their bytes are sealed, each for its own name
 * [HARD-316].
 */
@Injectable()
export class PostgresUploadStore extends UploadStore {
  private readonly seal: DataSeal;

  constructor(
    private readonly database: GatewayDatabase,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    super();
    this.seal = sealOf(config);
  }

  add({ name, userId, scene, type, bytes, by }: NewUpload, quota: number): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      await tx.execute('insert into upload_space (user_id, bytes) values ($1, 0) on conflict do nothing', [userId]);
      if (
        (await tx.execute('update upload_space set bytes = bytes + $2 where user_id = $1 and bytes + $2 <= $3', [
          userId,
          bytes.length,
          quota,
        ])) === 0
      )
        return false;
      await tx.execute(
        'insert into upload (name, user_id, scene, type, size, image, key_id) values ($1, $2, $3, $4, $5, $6, $7)',
        [name, userId, scene, type, bytes.length, this.seal.seal(PURPOSE, bytes, name), this.seal.newest],
      );
      if (by) {
        const after = { scene, size: bytes.length };
        const change = { action: 'news.picture', target: name, before: {}, after, by, at: this.clock.now() };
        recordChange(tx, { service: 'gateway', ...change });
      }
      return true;
    });
  }

  read(name: string): Promise<StoredImage | null> {
    return this.opened('select type, image, key_id from upload where name = $1', name);
  }

  readNews(name: string): Promise<StoredImage | null> {
    return this.opened(
      `select type, image, key_id from upload where name = $1 and scene = 'news' and used_at is not null`,
      name,
    );
  }

  async claimNews(names: readonly string[]): Promise<readonly string[]> {
    const found = await this.database.query<{ name: string }>(
      `update upload set used_at = coalesce(used_at, now()) where name = any($1) and scene = 'news' returning name`,
      [names],
    );
    return found.map(({ name }) => name);
  }

  private async opened(sql: string, name: string): Promise<StoredImage | null> {
    const [row] = await this.database.query<{ type: StoredImage['type']; image: Buffer; key_id: string | null }>(sql, [
      name,
    ]);
    // Without a key: from an earlier release, and not sealed yet.
    return row
      ? { type: row.type, bytes: row.key_id === null ? row.image : this.seal.open(PURPOSE, row.image, name) }
      : null;
  }

  async claim({ name, userId, scene }: Pick<NewUpload, 'name' | 'userId' | 'scene'>): Promise<boolean> {
    return (
      (await this.database.execute(
        'update upload set used_at = coalesce(used_at, now()) where name = $1 and user_id = $2 and scene = $3',
        [name, userId, scene],
      )) === 1
    );
  }

  sweep(now: number): Promise<number> {
    return this.remove(
      'unused_uploads',
      `select name
        from upload
        where used_at is null and created_at < $1
        order by created_at limit 200
        for update skip locked`,
      new Date(keptSince(this.config.retentionDays, 'unused_uploads', now)),
      now,
    );
  }

  async forget(names: readonly string[]): Promise<number> {
    return this.database.transaction((tx) =>
      this.removed(tx, `select name from upload where name = any($1) and scene = 'kyc' for update`, names),
    );
  }

  async reseal(): Promise<{ sealed: number; broken: number }> {
    let [sealed, broken] = [0, 0];
    for (let after = ''; ;) {
      const rows = await this.database.query<{ name: string; image: Buffer; key_id: string | null }>(
        `select name, image, key_id
          from upload
          where key_id is distinct from $1 and name collate "C" > $2
          order by name collate "C" limit ${PIECE}`,
        [this.seal.newest, after],
      );
      for (const { name, image, key_id: keyId } of rows) {
        try {
          const bytes = keyId === null ? image : this.seal.open(PURPOSE, image, name);
          sealed += await this.database.execute(
            'update upload set image = $2, key_id = $3 where name = $1 and key_id is not distinct from $4',
            [name, this.seal.seal(PURPOSE, bytes, name), this.seal.newest, keyId],
          );
        } catch (error) {
          if (!(error instanceof SealBroken)) throw error;
          broken += 1; // reported by the caller; the next picture may open
        }
      }
      if (rows.length < PIECE) return { sealed, broken };
      after = rows.at(-1)?.name ?? '';
    }
  }

  private async remove(what: string, chosen: string, until: Date, now: number): Promise<number> {
    return this.database.transaction(async (tx) => {
      const count = await this.removed(tx, chosen, until);
      if (count > 0)
        await tx.execute('insert into retention_run (what, until, count, at) values ($1, $2, $3, $4)', [
          what,
          until,
          count,
          new Date(now),
        ]);
      return count;
    });
  }

  /** Removes the images that a query selects, and frees their space. */
  private async removed(tx: Tx, chosen: string, value: unknown): Promise<number> {
    const gone = await tx.query<{ user_id: string; size: number }>(
      `delete from upload where name in (${chosen}) returning user_id, size`,
      [value],
    );
    const freed = new Map<string, number>();
    for (const { user_id: userId, size } of gone) freed.set(userId, (freed.get(userId) ?? 0) + size);
    // In one order, like every other transaction that locks several rows.
    for (const [userId, bytes] of [...freed].sort(([a], [b]) => (a < b ? -1 : 1)))
      await tx.execute('update upload_space set bytes = bytes - $2 where user_id = $1', [userId, bytes]);
    return gone.length;
  }
}
