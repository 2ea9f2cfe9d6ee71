import type { LedgerReply } from '@bourse/events';
import { formatUnits } from '@bourse/money';
import { rejectUnused, type MemoryDatabase } from '@bourse/persistence/memory';
import { HouseBalanceReads, type HouseBalance } from '../ledger/application/house/ports.js';
import { LedgerReader } from '../ledger/application/ports.js';
import type { StoredCommand } from './writer-store.js';
import type { AccountState } from '../ledger/domain/journal.js';

/** Reads the committed balances of house accounts. */
export class SimulatedHouseBalanceReads extends HouseBalanceReads {
  constructor(
    private readonly database: MemoryDatabase,
    private readonly scaleOf: (currency: number) => number,
  ) {
    super();
  }

  balances(accounts: readonly string[]): Promise<readonly HouseBalance[]> {
    return this.database.statement('house balances', async (at) =>
      at
        .rows<AccountState>('ledger.balance')
        .map(([, row]) => row)
        .filter(({ owner, account }) => owner < 0 && accounts.includes(account))
        .map(({ owner, account, currency, available, availableSequence }) => ({
          account,
          currency,
          partition: -1 - owner,
          available: formatUnits(available, this.scaleOf(currency)),
          sequence: availableSequence,
        })),
    );
  }
}

/** The only read of callers in the simulator: the stored answer of a command. */
export class SimulatedLedgerReader extends LedgerReader {
  constructor(
    private readonly database: MemoryDatabase,
    private readonly scaleOf: (currency: number) => number,
  ) {
    super();
  }

  answer(commandId: string, bodyHash: string | null = null): Promise<LedgerReply | null> {
    return this.database.statement('stored answer', async (at) => {
      const row = at.get<StoredCommand>('ledger.command', commandId);
      if (row && bodyHash !== null && row.bodyHash !== null && row.bodyHash !== bodyHash)
        return { commandId, ok: false, answer: { type: 'error', key: 'common.keyReused' }, repeated: false };
      return row
        ? {
            commandId,
            ok: row.answer.type === 'ok',
            answer: row.answer,
            repeated: true,
            ...(row.held === null ? {} : { held: row.held }),
          }
        : null;
    });
  }

  availableOf(account: string, house: string, currency: number, userIds: readonly number[]) {
    return this.database.statement('lever balances', async (at) => {
      const rows = at.rows<AccountState>('ledger.balance').map(([, row]) => row);
      const own = rows.filter((row) => row.currency === currency && row.account === account);
      const scale = this.scaleOf(currency);
      const set = rows.filter((row) => row.currency === currency && row.account === house);
      return {
        balances: Object.fromEntries(
          own.flatMap((row) =>
            userIds.includes(row.owner) ? [[String(row.owner), formatUnits(row.available, scale)]] : [],
          ),
        ),
        house: formatUnits(
          set.reduce((sum, row) => sum + row.available, 0n),
          scale,
        ),
      };
    });
  }

  houseTotal(account: string, currency: number): Promise<string> {
    return this.database.statement('house total', async (at) => {
      const rows = at.rows<AccountState>('ledger.balance').map(([, row]) => row);
      const own = rows.filter((row) => row.owner < 0 && row.currency === currency && row.account === account);
      return formatUnits(
        own.reduce((sum, row) => sum + row.available + row.held, 0n),
        this.scaleOf(currency),
      );
    });
  }

  journalsOf = rejectUnused;
  netsOf = rejectUnused;
  balances = rejectUnused;
  holds = rejectUnused;
  logs = rejectUnused;
  journals = rejectUnused;
  async *allLogs(): AsyncGenerator<never> {
    yield rejectUnused();
  }
  dayMoves = rejectUnused;
  notes = rejectUnused;
  transfers = rejectUnused;
  check = rejectUnused;
}
