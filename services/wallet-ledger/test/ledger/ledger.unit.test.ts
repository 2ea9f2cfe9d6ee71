import { accountKey, holdKey, type Posting } from '../../src/ledger/domain/journal.js';
import { HotLedger } from '../../src/ledger/domain/hot-ledger.js';
import { ledgerSuite } from './ledger-suite.js';
import { PlainLedger } from './plain-ledger.js';
import type { PartitionScope } from '../../src/ledger/domain/rights.js';

/**
 * Loads the accounts and holds of a posting as empty before it is posted, as the writer does from an empty database.
 */
class EmptyLoadingLedger extends HotLedger {
  constructor(scope: PartitionScope) {
    super(scope);
  }

  override post(posting: Posting) {
    for (const { legs } of posting.journals) {
      for (const { from, to, currency } of legs) {
        for (const { owner, account, hold } of [from, to]) {
          if (!this.knowsAccount(accountKey(owner, account, currency)))
            this.loadAccount({
              owner,
              account,
              currency,
              available: 0n,
              held: 0n,
              availableSequence: 0,
              heldSequence: 0,
            });
          if (hold !== null && !this.knowsHold(holdKey(owner, account, currency, hold)))
            this.loadHold({ owner, account, currency, hold, remaining: 0n, causeType: '', causeId: '' });
        }
      }
    }
    return super.post(posting);
  }
}

ledgerSuite('plain ledger', (scope) => new PlainLedger(scope));
ledgerSuite('ledger in memory', (scope) => new EmptyLoadingLedger(scope));
