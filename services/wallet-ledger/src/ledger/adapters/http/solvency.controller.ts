import { Controller } from '@nestjs/common';
import type { SolvencyProof, SolvencySnapshot } from '@bourse/contract';
import {
  Call,
  CurrentCaller,
  Fields,
  present,
  readInteger,
  readOptionalInteger,
  Refused,
  type Caller,
  type FieldRecord,
} from '@bourse/platform';
import { Currencies } from '../../application/currencies.js';
import { SolvencyProofs } from '../../application/solvency/proofs.js';

/** What the exchange owes, proved to each person (api §2.2, rules 8.7). */
@Controller()
export class SolvencyController {
  constructor(
    private readonly proofs: SolvencyProofs,
    private readonly currencies: Currencies,
  ) {}

  @Call({ method: 'GET', path: '/api/solvency/latest', auth: 'public', rate: 'public' })
  async latest(): Promise<SolvencySnapshot> {
    const latest = await this.proofs.latest();
    if (!latest) throw new Refused('common.notFound');
    return latest;
  }

  /** `currency` is the coin's id; its name, as the snapshot shows it, is understood too. */
  @Call({ method: 'GET', path: '/api/solvency/proof', auth: 'user', rate: 'read', apiKey: 'read' })
  async proof(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<SolvencyProof> {
    const named = this.currencies.all().find(({ name }) => name === present(fields, 'currency'));
    const currency = named?.id ?? readInteger(fields, 'currency');
    const snapshot = readOptionalInteger(fields, 'snapshot_id', 'common.fieldInvalid', { max: 2 ** 31 - 1 });
    const proof = await this.proofs.proof(caller.userId, currency, snapshot);
    if (!proof)
      throw new Refused('common.notFound', {}, { field: snapshot === undefined ? 'currency' : 'snapshot_id' });
    return proof;
  }

  @Call({ method: 'POST', path: '/api/admin/solvency/snapshot', auth: 'operator', role: 'finance' })
  async snapshot(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<{ snapshot_id: number }> {
    return {
      snapshot_id: await this.proofs.snapshotNow({
        operatorId: caller.userId,
        operator: caller.accountNumber,
        reason: present(fields, 'reason') ?? '',
      }),
    };
  }
}
