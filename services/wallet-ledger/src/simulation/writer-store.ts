import type { Tx } from '@bourse/persistence';
import { MemoryError, type MemoryTx, type MemoryDatabase, type Statement } from '@bourse/persistence/memory';
import {
  BatchTooOld,
  WriterStore,
  type AccountRef,
  type ChainHead,
  type Changes,
  type CommandRow,
  type Found,
  type HoldRef,
} from '../ledger/application/ports.js';
import { mayGoNegative } from '../ledger/domain/index.js';
import type { AccountState, HoldState } from '../ledger/domain/journal.js';

/** A stored answer, with the time of its batch. */
export interface StoredCommand extends CommandRow {
  readonly at: number;
}

const BATCH_AGE_MS_MAX = 5_000;
const LIMIT = 10n ** 28n;
export const accountOf = ({ owner, account, currency }: AccountRef): string => `${owner}.${account}.${currency}`;
const holdOf = (name: HoldRef): string => `${accountOf(name)}#${name.hold}`;

/** The writer's tables on a server in memory, with the checks that the columns of PostgreSQL have. */
export class SimulatedWriterStore extends WriterStore {
  constructor(private readonly database: MemoryDatabase) {
    super();
  }

  chainHead(partition: number): Promise<ChainHead> {
    return this.database.statement(
      'chain head',
      async (at) => at.get<ChainHead>('ledger.chain', String(partition)) ?? { number: 0, hash: '' },
    );
  }

  async find({
    accounts,
    holds,
    commandIds,
    secondKeys,
  }: {
    readonly accounts: readonly AccountRef[];
    readonly holds: readonly HoldRef[];
    readonly commandIds: readonly string[];
    readonly secondKeys: readonly string[];
  }): Promise<Found> {
    const read = <T>(what: string, wanted: readonly unknown[], work: (at: Statement) => T[]): Promise<T[]> =>
      wanted.length === 0 ? Promise.resolve([]) : this.database.statement(what, async (at) => work(at));
    const [at, foundAccounts, foundHolds, commands, seconds] = await Promise.all([
      this.database.statement('database time', async (statement) => Math.floor(statement.clock)),
      read('accounts', accounts, (statement) =>
        accounts.flatMap((name) => statement.get<AccountState>('ledger.balance', accountOf(name)) ?? []),
      ),
      read('holds', holds, (statement) =>
        holds.flatMap((name) => statement.get<HoldState>('ledger.hold', holdOf(name)) ?? []),
      ),
      read('commands', commandIds, (statement) =>
        commandIds.flatMap((id) => statement.get<StoredCommand>('ledger.command', id) ?? []),
      ),
      read('second keys', secondKeys, (statement) =>
        secondKeys.flatMap((key) => {
          const named = statement.get<{ id: string }>('ledger.second_key', key);
          return (named && statement.get<StoredCommand>('ledger.command', named.id)) ?? [];
        }),
      ),
    ]);
    return { at, accounts: foundAccounts, holds: foundHolds, commands, secondKeys: seconds };
  }

  save(tx: Tx, { partition, at, accounts, holds, journals, commands }: Changes): Promise<void> {
    return (tx as MemoryTx).statement('save', async (statement) => {
      for (const row of accounts) {
        if (
          row.held < 0n ||
          row.held >= LIMIT ||
          row.available >= LIMIT ||
          (row.available < 0n && !(row.owner < 0 && mayGoNegative(row.account, row.currency)))
        ) {
          throw new MemoryError(
            `account ${accountOf(row)} would have ${row.available} available and ${row.held} held`,
            '23514',
          );
        }
        const { owner, account, currency, available, held, availableSequence, heldSequence } = row;
        await statement.put('ledger.balance', accountOf(row), {
          owner,
          account,
          currency,
          available,
          held,
          availableSequence,
          heldSequence,
          partition,
        });
      }
      for (const row of holds) {
        if (row.remaining < 0n) throw new MemoryError(`hold ${holdOf(row)} would have ${row.remaining}`, '23514');
        const { owner, account, currency, hold, remaining, causeType, causeId } = row;
        await statement.put(
          'ledger.hold',
          holdOf(row),
          remaining === 0n ? null : { owner, account, currency, hold, remaining, causeType, causeId },
        );
      }
      for (const row of journals)
        await statement.put('ledger.journal', `${row.partition}.${row.number}.${row.part}.${row.hash}`, row);
      const last = journals.at(-1);
      if (last)
        await statement.put('ledger.chain', String(partition), {
          number: last.number,
          hash: last.hash,
        } satisfies ChainHead);
      for (const { id, secondKey, bodyHash, answer, held } of commands) {
        await statement.lock('ledger.command', id);
        // The real table has no unique key: a second row of an id is left for the checks to find.
        const key = statement.get('ledger.command', id) ? `${id}\tagain` : id;
        await statement.put('ledger.command', key, {
          id,
          secondKey,
          bodyHash,
          answer,
          held,
          at,
        } satisfies StoredCommand);
        if (secondKey !== null && answer.type === 'ok') await statement.put('ledger.second_key', secondKey, { id });
      }
    });
  }

  checkAge(tx: Tx, at: number): Promise<void> {
    return (tx as MemoryTx).statement('check age', async (statement) => {
      if (statement.clock >= at + BATCH_AGE_MS_MAX) throw new BatchTooOld('the batch was read more than 5 s ago');
    });
  }
}
