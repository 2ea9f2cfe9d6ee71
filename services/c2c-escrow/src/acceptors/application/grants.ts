import { Injectable } from '@nestjs/common';
import { Commands, Sagas, type Begun, type Saga } from '@bourse/ledger-client';
import type { SentApproval } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import { Clock, Notice, Refused, Ids } from '@bourse/platform';
import { createGrantOrder } from './journals.js';
import { AcceptorStore } from './ports.js';

const CALL_TIMEOUT_MS = 4_000;

interface GrantNote {
  readonly userId: number;
  /** Cents, as text; negative: taken back. */
  readonly by: string;
}

/**
 * Books the cash that the house grants to acceptors (`a.quota` against `h.quota`, rules §7), after two operators have
 * agreed.
 */
@Injectable()
export class AcceptorGrants {
  private readonly granting: Saga<GrantNote>;

  constructor(
    sagas: Sagas,
    private readonly commands: Commands,
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
        // Less cash is free than the grant takes back.
        return new Refused('balance.credit');
      },
    });
  }

  /**
   * Grants the difference up to `granted` cents in all, or takes back the difference down to it, once per attempt of an
   * approval (null: of none, as in a demo). @throws Refused `common.notFound`, `balance.credit` when less is free;
   * `pending` when the outcome is not known in time
   */
  async grantCash(userId: number, granted: bigint, approval: SentApproval | null = null): Promise<void> {
    const commandId = approval && `approval:${approval.id}:${approval.sentAt}`;
    const context = {
      requestId: 'approval',
      lang: 'en',
      ip: '',
      agent: '',
      caller: null,
      commandId,
      hasKey: commandId !== null,
      bodyHash: null,
      validUntil: this.clock.real() + CALL_TIMEOUT_MS,
    } as const;
    await this.commands.run(context, {
      decide: async (tx) => {
        const before = await this.lockAcceptor(tx, userId);
        const by = granted - before.granted;
        if (by === 0n && (!before.granting || !approval)) return new Notice('common.success');
        // One grant at a time: a refused grant restores the amount before it, which a later one must not have changed.
        if (before.granting) throw new Refused('admin.outdated');
        return this.granting.ask(await this.beginGrant(tx, { userId, granted, by }));
      },
    });
  }

  private async beginGrant(
    tx: Tx,
    { userId, granted, by }: { readonly userId: number; readonly granted: bigint; readonly by: bigint },
  ): Promise<Begun<GrantNote>> {
    await this.store.setGranted(tx, userId, granted, true);
    const object = this.ids.next();
    return { object, note: { userId, by: String(by) }, command: createGrantOrder(userId, object, by) };
  }

  private async lockAcceptor(tx: Tx, userId: number) {
    const row = await this.store.lock(tx, userId);
    if (!row) throw new Refused('common.notFound', {}, { field: 'user_id' });
    return row;
  }
}
