import { Injectable } from '@nestjs/common';
import { Sagas, type Moves } from '@bourse/ledger-client';
import type { Tx } from '@bourse/persistence';
import { Clock, Refused } from '@bourse/platform';
import { formatTrimmed } from '@bourse/money';
import { endsNow, stakeRefusal, type Policy } from '../domain/policy.js';
import { vaultOrder } from './journals.js';
import { PolicyStore } from './ports.js';

/** A policy in whole coins, as quotas count it. */
export const quotaOf = ({ amount, scale }: Pick<Policy, 'amount' | 'scale'>): string => formatTrimmed(amount, scale);

/** A contract that has ended, with what its result adds to the vault of its policy. */
interface ClosedContract {
  readonly policyId: string | null;
  readonly change: bigint;
}

/** Applies contracts to the policy whose vault pays for them (rules §5). */
@Injectable()
export class Policies {
  private readonly vaults: Moves;

  constructor(
    sagas: Sagas,
    private readonly store: PolicyStore,
    private readonly clock: Clock,
  ) {
    this.vaults = sagas.defineMove({ name: 'insurance.vault' });
  }

  /**
   * Counts a contract in the policy that a person has in a coin, and returns its id; null without one. @throws Refused
   * `insurance.claimFirst`, `insurance.stakeMax`, `micro.openMax`.
   */
  async takeStake(tx: Tx, userId: number, currencyId: number, stake: bigint): Promise<string | null> {
    const policy = await this.store.lockActive(tx, userId, currencyId);
    if (!policy) return null;
    const refusal = stakeRefusal(policy, stake);
    if (refusal?.code === 'claimFirst') throw new Refused('insurance.claimFirst');
    if (refusal?.code === 'stakeMax')
      throw new Refused('insurance.stakeMax', { max: formatTrimmed(refusal.max, policy.scale) }, { field: 'number' });
    if (refusal) throw new Refused('micro.openMax', { max: refusal.max });
    await this.store.save(tx, [{ ...policy, running: policy.running + 1 }]);
    return policy.id;
  }

  /**
   * Locks the policies of contracts before any counter is changed. All transactions lock in one order, so that none
   * deadlocks: contracts, outcomes, policies by id, `open_count` by person, `market_reserve` by market and coin,
   * `insurance_type` by id.
   */
  async lock(tx: Tx, contracts: readonly { readonly policyId: string | null }[]): Promise<void> {
    const ids = new Set(contracts.flatMap(({ policyId }) => policyId ?? []));
    if (ids.size > 0) await this.store.lock(tx, [...ids]);
  }

  /**
   * The ledger has booked stake and fee of a contract: the vault still counts the running stake, and has paid the fee.
   */
  async feePaid(tx: Tx, { policyId, fee }: { readonly policyId: string | null; readonly fee: bigint }): Promise<void> {
    if (policyId === null) return;
    const [policy] = await this.store.lock(tx, [policyId]);
    if (!policy) throw new Error(`invariant: policy ${policyId} of a contract is not there`);
    await this.store.save(tx, [{ ...policy, vault: policy.vault - fee }]);
  }

  /** The ledger has refused a contract: nothing was moved. */
  async contractRefused(tx: Tx, { policyId }: { readonly policyId: string | null }): Promise<void> {
    if (policyId === null) return;
    const [policy] = await this.store.lock(tx, [policyId]);
    if (!policy) throw new Error(`invariant: policy ${policyId} of a contract is not there`);
    await this.settle(tx, [{ ...policy, running: policy.running - 1 }]);
  }

  /** Contracts have ended: vaults have won, lost or got their fee back, and a policy that has won enough ends. */
  async contractsClosed(tx: Tx, closed: readonly ClosedContract[]): Promise<void> {
    const changes = new Map<string, { by: bigint; contracts: number }>();
    for (const { policyId, change } of closed) {
      if (policyId === null) continue;
      const { by, contracts } = changes.get(policyId) ?? { by: 0n, contracts: 0 };
      changes.set(policyId, { by: by + change, contracts: contracts + 1 });
    }
    if (changes.size === 0) return;
    const policies = await this.store.lock(tx, [...changes.keys()]);
    await this.settle(
      tx,
      policies.map((policy) => {
        const { by, contracts } = changes.get(policy.id)!;
        return { ...policy, vault: policy.vault + by, running: policy.running - contracts };
      }),
    );
  }

  /** Stores policies, and ends those that have won enough. */
  private async settle(tx: Tx, policies: readonly Policy[]): Promise<void> {
    const ending = policies.filter(endsNow).toSorted((a, b) => a.typeId - b.typeId);
    await this.store.save(
      tx,
      policies.filter((policy) => !ending.includes(policy)),
    );
    for (const policy of ending) await this.end(tx, policy, 'ended');
  }

  /** Ends a policy: its vault goes back to the micro account, its quota to the type. */
  async end(tx: Tx, policy: Policy, state: 'claimed' | 'cancelled' | 'ended'): Promise<Policy> {
    const ended = await this.closePolicy(tx, policy, state);
    const command = vaultOrder(policy);
    if (command.journals.length > 0) await this.vaults.begin(tx, { object: policy.id, command });
    return ended;
  }

  /** Marks the end; the caller moves the vault. */
  async closePolicy(tx: Tx, policy: Policy, state: 'claimed' | 'cancelled' | 'ended'): Promise<Policy> {
    const ended: Policy = { ...policy, state, vault: 0n, endedAt: this.clock.now() };
    await this.store.save(tx, [ended]);
    await this.store.giveQuota(tx, policy.typeId, quotaOf(policy));
    return ended;
  }
}
