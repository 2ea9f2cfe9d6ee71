import { Injectable } from '@nestjs/common';
import { LEDGER_SENDERS, type LedgerReply } from '@bourse/events';
import { Asks } from '@bourse/messaging';
import type { ServiceName } from '@bourse/platform';
import { LedgerAudit } from '../../application/audit/ledger-audit.js';
import { CommandAnswers } from '../../application/command-answers.js';
import { LedgerAuditor } from '../../application/audit/ledger-auditor.js';
import { LedgerReader } from '../../application/ports.js';
import { Statement } from '../../application/statement/statement.js';

/** What other services may ask the ledger (docs/interfaces.md). */
@Injectable()
export class LedgerAsks {
  constructor(
    asks: Asks,
    answers: CommandAnswers,
    reader: LedgerReader,
    audit: LedgerAudit,
    auditor: LedgerAuditor,
    statement: Statement,
  ) {
    asks.handle<{ commandId: string; bodyHash?: string | null }, LedgerReply | null>(
      'wallet-ledger.answer',
      ({ commandId, bodyHash }) => answers.find(commandId, bodyHash),
      ['gateway', ...(Object.keys(LEDGER_SENDERS) as ServiceName[])],
    );
    asks.handle<{ userId: number }, { currency: number; product: string; available: string; held: string }[]>(
      'wallet-ledger.balances',
      async ({ userId }) =>
        (await reader.balances(userId)).map(({ currency, account, available, held }) => ({
          currency,
          product: account,
          available,
          held,
        })),
      ['auth', 'market-data'],
    );
    asks.handle(
      'wallet-ledger.holds',
      ({ userId, lang = 'en' }: { userId: number; lang?: string }) => statement.holds(userId, undefined, lang),
      ['auth'],
    );
    asks.handle('wallet-ledger.audit', () => auditor.now(), ['gateway']);
    asks.handle(
      'wallet-ledger.audit.holds',
      async ({ prefix, buckets }: { prefix: string; buckets?: readonly number[] }) =>
        buckets ? audit.holdLines(prefix, buckets) : { digests: await audit.holdDigests(prefix) },
      ['gateway'],
    );
    asks.handle(
      'wallet-ledger.audit.trades',
      async (span: { symbol: string; from: number; to: number; each?: boolean }) => ({
        moved: await audit.trades(span),
      }),
      ['gateway'],
    );
  }
}
