import { Injectable } from '@nestjs/common';
import { Metrics } from '@bourse/platform';
import { LedgerDatabase } from '../../../ledger/adapters/persistence/ledger-database.js';

const STATES = ['review', 'sending'] as const;

/** Open withdrawals: their number, and the time since the oldest one last changed its state. */
@Injectable()
export class OpenWithdrawalFigures {
  constructor(database: LedgerDatabase, metrics: Metrics) {
    const read = async (
      column: 'count(*)' | 'extract(epoch from now() - min(updated_at))',
    ): Promise<{ labels: { state: string }; value: number }[]> => {
      const rows = await database.query<{ state: string; value: string }>(
        `select state, (${column})::text as value from withdrawal where state in ('review', 'sending') group by state`,
      );
      const values = new Map(rows.map(({ state, value }) => [state, Number(value)]));
      return STATES.map((state) => ({ labels: { state }, value: Math.max(0, values.get(state) ?? 0) }));
    };
    metrics.queried('bourse_withdrawals_open', 'Withdrawals in a state', ['state'], () => read('count(*)'));
    metrics.queried(
      'bourse_withdrawal_oldest_seconds',
      'How long the withdrawal has waited that has stood longest in a state; 0: there is none',
      ['state'],
      () => read('extract(epoch from now() - min(updated_at))'),
    );
  }
}
