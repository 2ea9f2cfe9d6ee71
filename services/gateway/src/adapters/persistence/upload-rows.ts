import { Injectable } from '@nestjs/common';
import { UploadStore, type NewUpload, type StoredImage } from '../../application/uploads.js';
import { GatewayDatabase } from './gateway-database.js';

/** Images as rows: they are few and small, and lie where backups are made anyway. */
@Injectable()
export class UploadRows extends UploadStore {
  constructor(private readonly database: GatewayDatabase) {
    super();
  }

  add({ name, userId, scene, type, bytes }: NewUpload, quota: number): Promise<boolean> {
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
      await tx.execute('insert into upload (name, user_id, scene, type, size, image) values ($1, $2, $3, $4, $5, $6)', [
        name,
        userId,
        scene,
        type,
        bytes.length,
        bytes,
      ]);
      return true;
    });
  }

  async read(name: string): Promise<StoredImage | null> {
    const [row] = await this.database.query<{ type: StoredImage['type']; image: Buffer }>(
      'select type, image from upload where name = $1',
      [name],
    );
    return row ? { type: row.type, bytes: row.image } : null;
  }

  async claim({ name, userId, scene }: Pick<NewUpload, 'name' | 'userId' | 'scene'>): Promise<boolean> {
    return (
      (await this.database.execute(
        'update upload set used_at = coalesce(used_at, now()) where name = $1 and user_id = $2 and scene = $3',
        [name, userId, scene],
      )) === 1
    );
  }

  sweep(): Promise<number> {
    return this.database.transaction(async (tx) => {
      const gone = await tx.query<{ user_id: string; size: number }>(
        `delete from upload where name in (select name from upload where used_at is null and created_at < now() - interval '1 day' order by created_at limit 200 for update skip locked) returning user_id, size`,
      );
      const freed = new Map<string, number>();
      for (const { user_id: userId, size } of gone) freed.set(userId, (freed.get(userId) ?? 0) + size);
      // In one order, as every other transaction that locks several of them.
      for (const [userId, bytes] of [...freed].sort(([a], [b]) => (a < b ? -1 : 1)))
        await tx.execute('update upload_space set bytes = bytes - $2 where user_id = $1', [userId, bytes]);
      return gone.length;
    });
  }
}
