import { Injectable } from '@nestjs/common';
import { TranscriptKeys } from '../application/ports.js';
import { C2cDatabase } from '../../shared/application/database.js';

@Injectable()
export class PostgresTranscriptKeys extends TranscriptKeys {
  constructor(private readonly database: C2cDatabase) {
    super();
  }

  async record(publicKey: string, at: number): Promise<void> {
    await this.database.execute(
      'insert into transcript_key (public_key, since) values ($1, $2) on conflict do nothing',
      [publicKey, new Date(at)],
    );
  }

  async list(): Promise<readonly { readonly publicKey: string; readonly since: number }[]> {
    const rows = await this.database.query<{ public_key: string; since: Date }>(
      'select public_key, since from transcript_key order by since desc limit 100',
    );
    return rows.map(({ public_key: publicKey, since }) => ({ publicKey, since: since.getTime() }));
  }
}
