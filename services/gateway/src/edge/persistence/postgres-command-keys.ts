import { Injectable } from '@nestjs/common';
import { CommandKeyStore, type ClaimedKey, type KeyClaim } from '../application/command-keys.js';
import { GatewayDatabase } from '../../shared/persistence/gateway-database.js';

/** As long as the answers of commands are stored. */
const KEPT = '7 days';
const REFUSED_KEPT = '1 hour';

interface Row extends Record<string, unknown> {
  key_id: string;
  command_id: string;
  body_hash: string;
  is_first: boolean;
}

@Injectable()
export class PostgresCommandKeys extends CommandKeyStore {
  constructor(private readonly database: GatewayDatabase) {
    super();
  }

  /**
   * Does not wait for the disk: an effect of the command is written to the same log after it, which flushes it too
   * (decision 0195).
   */
  async claim(claims: readonly KeyClaim[]): Promise<readonly ClaimedKey[]> {
    // In one order, so that two gateways do not deadlock.
    const sorted = [...claims].sort((one, other) => (one.keyId < other.keyId ? -1 : 1));
    const fresh = await this.database.transaction(
      (tx) =>
        tx.query<Row>(
          `insert into command_key as k (key_id, command_id, body_hash, until)
            select key_id, command_id, body_hash, now() + interval '${KEPT}'
            from unnest($1::text[], $2::text[], $3::text[]) as n(key_id, command_id, body_hash)
            on conflict (key_id) do update
              set command_id = excluded.command_id, body_hash = excluded.body_hash, until = excluded.until
              where k.until < now()
            returning key_id, command_id, body_hash, true as is_first`,
          [
            sorted.map(({ keyId }) => keyId),
            sorted.map(({ commandId }) => commandId),
            sorted.map(({ bodyHash }) => bodyHash),
          ],
        ),
      { relaxed: true },
    );
    const first = new Set(fresh.map(({ key_id: keyId }) => keyId));
    const others = sorted.filter(({ keyId }) => !first.has(keyId)).map(({ keyId }) => keyId);
    const known =
      others.length === 0
        ? []
        : await this.database.query<Row>(
            `select key_id, command_id, body_hash, false as is_first from command_key where key_id = any($1::text[])`,
            [others],
          );
    return [...fresh, ...known].map((row) => ({
      keyId: row.key_id,
      commandId: row.command_id,
      bodyHash: row.body_hash,
      isFirst: row.is_first,
    }));
  }

  async shorten(keyIds: readonly string[]): Promise<void> {
    await this.database.transaction(
      async (tx) => {
        await tx.execute(
          `update command_key set until = now() + interval '${REFUSED_KEPT}' where key_id = any($1::text[])`,
          [[...keyIds].sort()],
        );
      },
      { relaxed: true },
    );
  }

  async free(keyId: string): Promise<void> {
    await this.database.execute('delete from command_key where key_id = $1', [keyId]);
  }

  async find(keyId: string): Promise<string | null> {
    const [row] = await this.database.query<{ command_id: string }>(
      'select command_id from command_key where key_id = $1 and until > now()',
      [keyId],
    );
    return row?.command_id ?? null;
  }

  /** Deletes expired keys. */
  async sweep(): Promise<void> {
    await this.database.execute('delete from command_key where until < now()');
  }
}
