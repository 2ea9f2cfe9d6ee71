import { Injectable } from '@nestjs/common';
import { TOPICS, userNotices } from '@bourse/events';
import { Commands, isHouseShort, Sagas, type Moves, type Saga } from '@bourse/ledger-client';
import { Timers, type Tx } from '@bourse/persistence';
import { Clock, Notice, Refused, type CallContext, Ids } from '@bourse/platform';
import { claimPayout, dayOf, isClaimable, nextPayout, type Claim, type Policy } from '../domain/policy.js';
import { Policies } from './policies.js';
import { shownClaim } from './answers.js';
import { claimOrder, payoutOrder, vaultOrder } from './journals.js';
import { paidNotice } from './notices.js';
import { PolicyStore } from './ports.js';

const PAYOUT = 'insurance.payout';

interface ClaimNote {
  readonly claimId: string;
  /** Whether one of the day's payouts was used for it. */
  readonly isToday: boolean;
}

/**
 * Claims of policies that have lost enough (rules §5): vault and payout at once while a payout of the day is left and
 * the house can pay, else the vault at once and the payout on the next day.
 */
@Injectable()
export class Claims {
  private readonly claiming: Saga<ClaimNote>;
  private readonly paying: Saga<{ readonly dueAt: number }>;
  private readonly vaults: Moves;

  constructor(
    sagas: Sagas,
    private readonly commands: Commands,
    private readonly store: PolicyStore,
    private readonly policies: Policies,
    private readonly timers: Timers,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {
    this.claiming = sagas.define<ClaimNote>({
      name: 'insurance.claim',
      onPosted: (tx, { object, note }) => this.decided(tx, object, note.claimId, note.isToday),
      onRefused: (tx, { object, note }, refusal) => this.refused(tx, object, note, refusal),
    });
    this.paying = sagas.define<{ readonly dueAt: number }>({
      name: PAYOUT,
      onPosted: async (tx, { object }) => {
        const claim = await this.locked(tx, object);
        const at = this.clock.now();
        await this.store.saveClaim(tx, { ...claim, state: 'paid', paidAt: at });
        this.notifyHolder(tx, claim, await this.lockedPolicy(tx, claim.policyId), at);
        return new Notice('common.success');
      },
      onRefused: async (tx, { object, note }, refusal) => {
        const claim = await this.locked(tx, object);
        await this.store.givePayout(tx, claim.userId, dayOf(note.dueAt));
        await this.timers.set(tx, PAYOUT, claim.id, nextPayout(note.dueAt));
        return refusal;
      },
    });
    this.vaults = sagas.defineMove({ name: 'insurance.claimedVault' });
    this.timers.handleAll(PAYOUT, async (due, tx) => {
      const claims: { claim: Claim; dueAt: number }[] = [];
      for (const { id, dueAt } of due) claims.push({ claim: await this.locked(tx, id), dueAt });
      // Rounds of several instances count payouts of the same people: each does it in the same order.
      claims.sort((a, b) => a.dueAt - b.dueAt || a.claim.userId - b.claim.userId);
      for (const { claim, dueAt } of claims) await this.pay(tx, claim, dueAt);
    });
  }

  /** @throws Refused `insurance.notClaimable`, `insurance.openOrders`, `insurance.state`. */
  claim(userId: number, policyId: string, context: CallContext): Promise<Notice> {
    return this.commands.run(context, {
      decide: async (tx) => {
        const [policy] = await this.store.lock(tx, [policyId]);
        if (policy?.userId !== userId || policy.state === 'waiting') throw new Refused('common.notFound');
        if (policy.state !== 'active') throw new Refused('insurance.state');
        if (!isClaimable(policy)) throw new Refused('insurance.notClaimable');
        if (policy.running > 0) throw new Refused('insurance.openOrders');
        const claim = this.claimOf(policy);
        await this.store.insertClaim(tx, claim);
        await this.store.save(tx, [{ ...policy, state: 'claiming' }]);
        const day = dayOf(claim.createdAt);
        const isToday = await this.store.takePayout(tx, userId, day, policy.terms.claimsPerDay);
        const command = isToday ? claimOrder(policy, claim) : vaultOrder(policy);
        return this.claiming.ask({ object: policyId, note: { claimId: claim.id, isToday }, command });
      },
    });
  }

  private claimOf(policy: Policy): Claim {
    return {
      id: this.ids.next(),
      policyId: policy.id,
      userId: policy.userId,
      currencyId: policy.currencyId,
      scale: policy.scale,
      amount: claimPayout(policy),
      state: 'deciding',
      createdAt: this.clock.now(),
      paidAt: null,
    };
  }

  private async decided(tx: Tx, policyId: string, claimId: string, isPaid: boolean): Promise<Notice> {
    const policy = await this.lockedPolicy(tx, policyId);
    await this.policies.closePolicy(tx, policy, 'claimed');
    const claim = await this.locked(tx, claimId);
    const at = this.clock.now();
    const decided: Claim = isPaid ? { ...claim, state: 'paid', paidAt: at } : { ...claim, state: 'booked' };
    await this.store.saveClaim(tx, decided);
    if (isPaid) this.notifyHolder(tx, decided, policy, at);
    if (!isPaid) await this.timers.set(tx, PAYOUT, claim.id, nextPayout(claim.createdAt));
    return new Notice(isPaid ? 'insurance.paid' : 'insurance.booked', { claim: shownClaim(decided) });
  }

  private async refused(tx: Tx, policyId: string, note: ClaimNote, refusal: Refused): Promise<Notice | Refused> {
    const policy = await this.lockedPolicy(tx, policyId);
    const claim = await this.locked(tx, note.claimId);
    if (note.isToday) await this.store.givePayout(tx, claim.userId, dayOf(claim.createdAt));
    if (isHouseShort(refusal)) {
      // The house has too little money: the vault is returned now, the payout follows on the next day.
      const command = vaultOrder(policy);
      if (command.journals.length > 0) await this.vaults.begin(tx, { object: policyId, command });
      return this.decided(tx, policyId, claim.id, false);
    }
    await this.store.save(tx, [{ ...policy, state: 'active' }]);
    await this.store.dropClaim(tx, claim.id);
    return refusal;
  }

  /**
   * Pays a postponed payout as one of its day; it waits another day if the day's payouts are used up or the house has
   * too little money.
   */
  private async pay(tx: Tx, claim: Claim, dueAt: number): Promise<void> {
    const { id } = claim;
    if (claim.state !== 'booked') return;
    const { terms } = await this.lockedPolicy(tx, claim.policyId);
    if (await this.store.takePayout(tx, claim.userId, dayOf(dueAt), terms.claimsPerDay))
      await this.paying.begin(tx, { object: id, note: { dueAt }, command: payoutOrder(claim) });
    else await this.timers.set(tx, PAYOUT, id, nextPayout(dueAt));
  }

  private notifyHolder(tx: Tx, claim: Claim, policy: Policy, at: number): void {
    tx.emit(TOPICS.userNotices, 0, userNotices([paidNotice(claim, policy, at)]));
  }
  private async locked(tx: Tx, id: string): Promise<Claim> {
    const claim = await this.store.lockClaim(tx, id);
    if (!claim) throw new Error(`invariant: claim ${id} is not there`);
    return claim;
  }
  private async lockedPolicy(tx: Tx, id: string): Promise<Policy> {
    const [policy] = await this.store.lock(tx, [id]);
    if (!policy) throw new Error(`invariant: policy ${id} of a claim is not there`);
    return policy;
  }
}
