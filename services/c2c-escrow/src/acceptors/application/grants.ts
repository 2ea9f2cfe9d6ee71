import { Injectable } from '@nestjs/common';
import { Sagas, type Begun, type Saga } from '@bourse/ledger-client';
import type { Tx } from '@bourse/persistence';
import { Clock, Notice, Refused, Ids } from '@bourse/platform';
import { createGrantOrder } from './journals.js';
import { AcceptorStore } from './ports.js';

const CALL_TIMEOUT_MS = 4_000;

interface GrantNote {
  readonly userId: number;
  /** Cents, as text; below zero: taken back. */
  readonly by: string;
}

/** Cash that the house grants acceptors (`a.quota` against `h.quota`, rules §7): what two operators have decided. */
@Injectable()
export class AcceptorGrants {
  private readonly granting: Saga<GrantNote>;

  constructor(
    sagas: Sagas,
    private readonly store: AcceptorStore,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {
    this.granting = sagas.define<GrantNote>({
      name: 'acceptor.grant',
      onPosted: async (tx, { note: { userId } }) => {
        const { granted } = await this.lockAcceptor(tx, userId);
        await this.store.setGranted(tx, userId, granted, false);
        return new Notice('common.success');
      },
      onRefused: async (tx, { note: { userId, by } }) => {
        const { granted } = await this.lockAcceptor(tx, userId);
        await this.store.setGranted(tx, userId, granted - BigInt(by), false);
        // More is out with people, or in their deals, than may be taken back.
        return new Refused('balance.credit');
      },
    });
  }

  /**
   * Grants what is missing to `granted` cents in all, or takes back what is too much. @throws Refused
   * `common.notFound`, `balance.credit` when less than that is free; `pending` when it is not known in time.
   */
  async grantCash(userId: number, granted: bigint): Promise<void> {
    const isSame = (await this.findAcceptor(userId)).granted === granted;
    if (isSame) return;
    const context = {
      requestId: 'approval',
      lang: 'en',
      ip: '',
      agent: '',
      caller: null,
      commandId: null,
      hasKey: false,
      bodyHash: null,
      validUntil: this.clock.real() + CALL_TIMEOUT_MS,
    } as const;
    await this.granting.call(context, () => Promise.resolve((tx) => this.beginGrant(tx, userId, granted)));
  }

  private async beginGrant(tx: Tx, userId: number, granted: bigint): Promise<Begun<GrantNote>> {
    const before = await this.lockAcceptor(tx, userId);
    const by = granted - before.granted;
    // One after another: what a refused grant takes back, a later one may have taken back already.
    if (before.granting || by === 0n) throw new Refused('admin.outdated');
    await this.store.setGranted(tx, userId, granted, true);
    const object = this.ids.next();
    return { object, note: { userId, by: String(by) }, command: createGrantOrder(userId, object, by) };
  }

  private async findAcceptor(userId: number) {
    const row = await this.store.findByUser(userId);
    if (!row) throw new Refused('common.notFound', {}, { field: 'user_id' });
    return row;
  }
  private async lockAcceptor(tx: Tx, userId: number) {
    const row = await this.store.lock(tx, userId);
    if (!row) throw new Refused('common.notFound', {}, { field: 'user_id' });
    return row;
  }
}
