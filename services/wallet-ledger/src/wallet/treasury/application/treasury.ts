import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { NetworkRow } from '@bourse/contract';
import { Fenced, type Lease } from '@bourse/messaging';
import type { Clock } from '@bourse/platform';
import type { NewPayout, Payouts } from '../../withdrawals/application/payouts.js';
import type { PayoutStore } from '../../withdrawals/application/ports.js';
import type { UseCaseDatabase } from '../../../ledger/application/use-case-database.js';
import {
  ChainUnavailable,
  FeeAboveLimit,
  HotWalletShort,
  PaymentRefused,
  type Chain,
  type PaymentStatus,
  type Signature,
} from '../../chains/application/chain.js';
import { needsHigherFee, RAISES } from '../../chains/application/raises.js';
import type { OwnAddress, OwnAddresses } from '../../chains/application/own-addresses.js';
import { sweepsOf, type Sweeps } from '../../chains/application/sweeps.js';
import { WORTH_FEES } from '../../chains/application/worth-fees.js';
import type { EndedPayout, NetworkFee, OpenSweep, TreasuryStore } from './ports.js';

/** Gas for twice the current fee is sent: the price may rise before it arrives. */
const GAS_SPARE = 2n;
/**
 * Pause after a movement that the chain refused, because each attempt costs a fee; its cause, such as a paused token,
 * passes in hours and not in seconds.
 */
const REST_AFTER_FAILURE_MS = 6 * 3_600_000;
/**
 * An excess over the ceiling goes to the cold wallet only if it is at least a tenth of the ceiling, so that not every
 * deposit causes a transaction.
 */
const EXCESS_PARTS = 10n;

type HouseMove = Pick<NewPayout, 'reference' | 'to'>;

export interface TreasuryParts {
  readonly chain: Chain;
  /** Networks of the chain, by the current settings. */
  readonly networks: () => readonly NetworkRow[];
  readonly addresses: OwnAddresses;
  readonly database: UseCaseDatabase;
  readonly payouts: Pick<Payouts, 'enqueue'>;
  readonly payoutStore: Pick<PayoutStore, 'ofHouse' | 'owed' | 'reserved'>;
  readonly store: TreasuryStore;
  readonly clock: Pick<Clock, 'real'>;
  /** Address of the chain's cold wallet; its key is never in this process. Null: nothing is moved there. */
  readonly coldAddress: string | null;
  /** Maximum balance of the hot wallet, smallest units of the chain, by network id. */
  readonly ceilings: ReadonlyMap<number, bigint>;
}

/**
 * The treasury of one chain, under a lease: sweeps deposit addresses into the hot wallet, and moves the hot wallet's
 * excess over its ceiling to the cold one. The ledger does not change by it. Movements out of the hot wallet are
 * payouts (`gas:`, `cold:`), so that no other payment uses their nonces; those out of deposit addresses are signed
 * once, stored, and sent until they are final (invariants §2.7).
 */
export class Treasury {
  private readonly logger: Logger;
  private readonly sweeps: Sweeps | null;
  /** Networks whose excess cannot be moved, which was logged. */
  private readonly unmovable = new Set<number>();

  constructor(private readonly parts: TreasuryParts) {
    this.logger = new Logger(`Treasury of ${parts.chain.name}`);
    this.sweeps = sweepsOf(parts.chain);
  }

  /**
   * Runs one round. @throws Fenced when the lease is lost; ChainUnavailable when the node gives no answer: then
   * everything waits.
   */
  async round(lease: Lease): Promise<void> {
    const moving = await this.parts.payoutStore.ofHouse(this.parts.chain.name);
    if (this.sweeps) await this.sweepDeposits(lease, this.sweeps, moving);
    for (const network of this.parts.networks())
      await this.waits(network.name, () => this.moveExcessToCold(lease, network, moving));
    await this.fees(lease);
  }

  /** Advances the open sweeps; returns those that are still open. */
  private async follow(lease: Lease, sweeps: Sweeps): Promise<readonly OpenSweep[]> {
    const open = await this.parts.store.open(this.parts.chain.name);
    const left: OpenSweep[] = [];
    for (const sweep of open) {
      let ended = false;
      await this.waits(`sweep ${sweep.id}`, async () => {
        ended = await this.settle(lease, sweeps, sweep);
      });
      if (!ended) left.push(sweep);
    }
    return left;
  }

  private async settle(lease: Lease, sweeps: Sweeps, sweep: OpenSweep): Promise<boolean> {
    const { chain, store, clock } = this.parts;
    const needed = Math.max(...this.parts.networks().map(({ confirmations }) => confirmations));
    const statuses: PaymentStatus[] = [];
    for (const { txId } of sweep.signatures) statuses.push(await chain.status(txId));
    const mined = statuses.findIndex(({ state }) => state === 'mined');
    const status = statuses[mined];
    if (status?.state === 'mined') {
      if (status.confirmations < needed) return false;
      const { txId } = sweep.signatures[mined] as Signature;
      return this.endSweep(lease, sweeps, sweep, txId, status.success);
    }
    const latest = sweep.signatures.at(-1) as Signature;
    const winner = await chain.conflictingSpend(
      latest.spends,
      sweep.signatures.map(({ txId }) => txId),
      needed,
    );
    // Only our key can have signed it: a signature that was lost with a restore, whose fee the house has paid.
    if (winner !== null) {
      this.logger.warn(`${winner} has used up the nonce of sweep ${sweep.id}`);
      const other = await chain.status(winner);
      return other.state === 'mined' && this.endSweep(lease, sweeps, sweep, winner, other.success);
    }
    const isLate = clock.real() - latest.at >= RAISES.afterMs;
    if (!(await needsHigherFee(chain, sweep.signatures, statuses.at(-1) as PaymentStatus, isLate))) return false;
    if (sweep.signatures.length >= RAISES.signaturesMax)
      throw new FeeAboveLimit(`${latest.txId} is in no block, and its fee was raised for the last time`);
    const raised = await sweeps.raiseMove({ kind: 'deposit', index: sweep.index }, latest);
    await store.raise(lease, sweep.id, { ...raised, attempt: sweep.signatures.length });
    await chain.send(raised);
    return false;
  }

  /** False while the node does not tell the fee: a lagging one may know the transaction before its receipt. */
  private async endSweep(
    lease: Lease,
    sweeps: Sweeps,
    { id, chain }: OpenSweep,
    txId: string,
    success: boolean,
  ): Promise<boolean> {
    const amount = await sweeps.feePaid(txId);
    if (amount === null) return false;
    const fee = { chain, txId, reference: `sweep:${id}`, amount };
    await this.parts.store.end(lease, id, success ? 'done' : 'failed', fee);
    return true;
  }

  /**
   * Sweeps deposit addresses with a sufficient balance, tokens first, because the coin on the same address pays their
   * gas. One movement per address at a time.
   */
  private async sweepDeposits(lease: Lease, sweeps: Sweeps, moving: readonly HouseMove[]): Promise<void> {
    const busy = new Set((await this.follow(lease, sweeps)).map(({ address }) => address));
    for (const { to, reference } of moving) if (reference.startsWith('gas:')) busy.add(to);
    const used = await this.parts.addresses.used(this.parts.chain.name);
    for (const network of [...this.parts.networks()].sort((a, b) =>
      b.contractAddress.localeCompare(a.contractAddress),
    )) {
      const resting = await this.parts.store.failedOf(
        this.parts.chain.name,
        network.contractAddress,
        REST_AFTER_FAILURE_MS,
      );
      const free = used.filter(({ address }) => !busy.has(address) && !resting.has(address));
      const balances = await sweeps.balancesOf(
        free.map(({ address }) => address),
        network.contractAddress,
        network.confirmations,
      );
      for (const [place, own] of free.entries()) {
        if (lease.signal.aborted) return;
        if (balances[place]! < this.minimumSweep(network)) continue;
        await this.waits(own.address, async () => {
          if (await this.sweepAddress(lease, sweeps, network, own, balances[place]!)) busy.add(own.address);
        });
      }
    }
  }

  /** True when a movement from or to the address is open now. */
  private async sweepAddress(
    lease: Lease,
    sweeps: Sweeps,
    network: NetworkRow,
    own: OwnAddress,
    balance: bigint,
  ): Promise<boolean> {
    const { contractAddress: contract, confirmations } = network;
    const { address, index } = own;
    const cost = await sweeps.costOfMove(contract);
    if (contract === '' && balance < cost * WORTH_FEES) return false;
    if (contract !== '' && ((await sweeps.balancesOf([address], ''))[0] as bigint) < cost) {
      await this.pay(lease, {
        reference: `gas:${index}:${randomBytes(6).toString('hex')}`,
        to: address,
        contract: '',
        amount: cost * GAS_SPARE,
        confirmations,
      });
      return true;
    }
    const signed = await sweeps.signMove(
      { from: { kind: 'deposit', index }, to: sweeps.hotAddress, contract, amount: 'all' },
      new Set(),
    );
    await this.parts.store.create(
      lease,
      { chain: this.parts.chain.name, address, index, contract, amount: signed.amount },
      signed,
    );
    await this.parts.chain.send(signed);
    return true;
  }

  /**
   * Deposits below the withdrawal minimum are not swept: the network fee would exceed them, and anybody could make the
   * house pay it by sending dust.
   */
  private minimumSweep({ minWithdrawal, chainScale }: NetworkRow): bigint {
    return unitsOf(minWithdrawal, chainScale);
  }

  /** Moves the hot wallet's excess over its ceiling, after the open payouts, to the cold wallet. */
  private async moveExcessToCold(lease: Lease, network: NetworkRow, moving: readonly HouseMove[]): Promise<void> {
    const { chain, coldAddress, ceilings, payoutStore } = this.parts;
    const ceiling = ceilings.get(network.id);
    if (
      coldAddress === null ||
      ceiling === undefined ||
      lease.signal.aborted ||
      moving.some(({ reference }) => reference.startsWith(`cold:${network.id}:`))
    )
      return;
    const { contractAddress: contract } = network;
    // Read before the balance: a payout that ends between the two lowers the excess, and never raises it.
    const owed = (await payoutStore.owed(chain.name)).get(contract) ?? 0n;
    const hot = this.sweeps
      ? ((await this.sweeps.balancesOf([this.sweeps.hotAddress], contract, network.confirmations))[0] as bigint)
      : await chain.holdings(contract);
    const excess = hot - owed - ceiling;
    if (excess <= 0n || excess * EXCESS_PARTS < ceiling) return;
    // A movement of more could never be signed, and none would follow it. The rest goes next.
    const amount = await chain.payableAtOnce(coldAddress, excess, await payoutStore.reserved(chain.name));
    if (amount === 0n) {
      if (!this.unmovable.has(network.id))
        this.logger.warn(
          `${excess} of ${network.name} are over the ceiling, and no payment worth its fee can carry any of it now`,
        );
      this.unmovable.add(network.id);
      return;
    }
    this.unmovable.delete(network.id);
    await this.pay(lease, {
      reference: `cold:${network.id}:${randomBytes(6).toString('hex')}`,
      to: coldAddress,
      contract,
      amount,
      confirmations: network.confirmations,
    });
    this.logger.log(`${amount} of ${network.name} go to the cold wallet`);
  }

  /** Under the lease: another instance may have ordered the same since the movements were read. */
  private async pay(lease: Lease, payout: Omit<NewPayout, 'userId' | 'chain' | 'memo'>): Promise<void> {
    await this.parts.database.transaction(async (tx) => {
      await lease.fence(tx);
      await this.parts.payouts.enqueue(tx, { ...payout, userId: null, chain: this.parts.chain.name, memo: '' });
    });
  }

  /** Records the network fees of payouts that have ended. */
  private async fees(lease: Lease): Promise<void> {
    const chain = this.parts.chain.name;
    for (const payout of await this.parts.store.unpaid(chain)) {
      const fee = await this.feeOf(payout);
      if (fee) await this.parts.store.addFee(lease, { chain, reference: payout.reference, ...fee });
    }
  }

  /** Null while the node does not tell the fee of a mined payment. One that was never mined has cost nothing. */
  private async feeOf({ isMined, txId, signatures }: EndedPayout): Promise<Pick<NetworkFee, 'txId' | 'amount'> | null> {
    if (!isMined) return { txId, amount: 0n };
    const amount = this.sweeps
      ? await this.sweeps.feePaid(txId)
      : (signatures.find((one) => one.txId === txId)?.networkFee ?? 0n);
    return amount === null ? null : { txId, amount };
  }

  /** A movement that cannot be made now does not block the others. */
  private async waits(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof Fenced || error instanceof ChainUnavailable) throw error;
      const isExpected =
        error instanceof HotWalletShort || error instanceof FeeAboveLimit || error instanceof PaymentRefused;
      this.logger.warn(`${what} waits: ${isExpected ? error.message : ((error as Error).stack ?? String(error))}`);
    }
  }
}

/** Units of a decimal text at a chain's scale; decimals finer than the chain are cut off. */
function unitsOf(text: string, scale: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.slice(0, scale).padEnd(scale, '0'));
}
