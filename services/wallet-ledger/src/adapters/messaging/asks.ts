import { Injectable } from '@nestjs/common';
import type { LedgerReply } from '@bourse/events';
import { Asks } from '@bourse/messaging';
import { LedgerAudit, type Check } from '../../application/audit.js';
import { AuditReads, LedgerReader, type HeldFor } from '../../application/ports.js';

/** What other services may ask the ledger (docs/interfaces.md). */
@Injectable()
export class LedgerAsks {
  constructor(asks: Asks, reader: LedgerReader, audit: LedgerAudit, reads: AuditReads) {
    asks.handle<{ commandId: string }, LedgerReply | null>('wallet-ledger.answer', ({ commandId }) => reader.answer(commandId));
    asks.handle<{ userId: number }, { currency: number; product: string; available: string; held: string }[]>('wallet-ledger.balances', async ({ userId }) =>
      (await reader.balances(userId)).map(({ currency, account, available, held }) => ({ currency, product: account, available, held })));
    asks.handle<object, { checks: Check[]; holds: readonly HeldFor[] }>('wallet-ledger.audit', async () => ({ checks: await audit.run(), holds: await reads.holds() }));
  }
}
