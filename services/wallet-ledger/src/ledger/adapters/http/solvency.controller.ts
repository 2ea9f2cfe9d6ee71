import { Body, Controller, Query } from '@nestjs/common';
import { solvencyProof, solvencySnapshot, type SolvencyProof, type SolvencySnapshot } from '@bourse/contract';
import { Call, type Caller, CurrentCaller, message, Refused } from '@bourse/platform';
import { ProofQuery, SnapshotBody } from '../../application/fields.js';
import * as z from 'zod/mini';
import { Currencies } from '../../application/currencies.js';
import { SolvencyProofs } from '../../application/solvency/proofs.js';

/** Proofs of the exchange's liabilities for each person (api §2.2, rules 8.7). */
@Controller()
export class SolvencyController {
  constructor(
    private readonly proofs: SolvencyProofs,
    private readonly currencies: Currencies,
  ) {}

  @Call(
    { method: 'GET', path: '/api/solvency/latest', auth: 'public', rate: 'public' },
    {
      summary: 'Get the last proof of liabilities and assets',
      answer: message(solvencySnapshot),
      refuses: ['common.notFound'],
    },
  )
  async latest(): Promise<SolvencySnapshot> {
    const latest = await this.proofs.latest();
    if (!latest) throw new Refused('common.notFound');
    return latest;
  }

  /** `currency` is the coin's id or its name in the snapshot. */
  @Call(
    { method: 'GET', path: '/api/solvency/proof', auth: 'user', rate: 'read', apiKey: 'read' },
    {
      summary: 'Own place in the sum of all balances of a coin',
      answer: message(solvencyProof),
      refuses: ['common.notFound'],
    },
  )
  async proof(@CurrentCaller() caller: Caller, @Query() fields: ProofQuery): Promise<SolvencyProof> {
    const named = this.currencies.all().find(({ name }) => name === fields.coin);
    const currency = named?.id ?? fields.currency;
    const { snapshotId: snapshot } = fields;
    const proof = await this.proofs.proof(caller.userId, currency, snapshot);
    if (!proof)
      throw new Refused('common.notFound', {}, { field: snapshot === undefined ? 'currency' : 'snapshot_id' });
    return proof;
  }

  @Call(
    { method: 'POST', path: '/api/admin/solvency/snapshot', auth: 'operator', role: 'finance' },
    { summary: 'Take a snapshot for proofs now', answer: message(z.object({ snapshot_id: z.int() })) },
  )
  async snapshot(@CurrentCaller() caller: Caller, @Body() fields: SnapshotBody): Promise<{ snapshot_id: number }> {
    return {
      snapshot_id: await this.proofs.snapshotNow({
        operatorId: caller.userId,
        operator: caller.accountNumber,
        reason: fields.reason,
      }),
    };
  }
}
