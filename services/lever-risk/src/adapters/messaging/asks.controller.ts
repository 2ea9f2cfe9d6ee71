import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { resultsTopic, type Product } from '@bourse/events';
import {
  askedBy,
  flowOf,
  type AuditCheck,
  type AuditFlow,
  type HouseBook,
  type ServiceDescription,
} from '@bourse/messaging';
import { EDGE_SERVICE, Notice, type CallContext } from '@bourse/platform';
import { LeverHouse } from '../../application/lever-house.js';
import { LeverAuditReads, LeverDatabase } from '../../application/ports.js';
import { TakeOut } from '../../application/take-out.js';
import { HOLD_PREFIX } from '../../domain/position.js';

const SERVICE = 'lever-risk';

interface HandedOver {
  readonly userId: number;
  readonly currency: number;
  readonly amount: string;
  readonly context: CallContext;
}

/** Describes this service and answers the asks of others (docs/adding-a-service.md). */
@Controller()
export class LeverAsksController {
  constructor(
    private readonly database: LeverDatabase,
    private readonly reads: LeverAuditReads,
    private readonly takeOut: TakeOut,
    private readonly houseBook: LeverHouse,
  ) {}

  @MessagePattern(`${SERVICE}.describe`, askedBy(EDGE_SERVICE))
  describe(): ServiceDescription {
    return {
      service: SERVICE,
      // Transfers out of lever are calls of the wallet that this service answers.
      answers: 'all',
      audits: true,
      againstHouse: true,
      // Its sagas learn of holds by results: it has no topic of commands.
      holds: [{ prefix: HOLD_PREFIX, commands: resultsTopic(SERVICE) }],
      stops: [`stream:${SERVICE}.sagas:`],
    };
  }

  /** A transfer out of lever that the wallet has checked (architecture §7). */
  @MessagePattern(`${SERVICE}.transfer`, askedBy('wallet-ledger'))
  async transfer(@Payload() { context, ...outgoing }: HandedOver & { readonly to: Product }): Promise<{ id: string }> {
    return idOf(await this.takeOut.transfer(outgoing, context));
  }

  /** A correction that debits lever, approved by two operators. */
  @MessagePattern(`${SERVICE}.correct`, askedBy('wallet-ledger'))
  async correct(
    @Payload() { context, ...outgoing }: HandedOver & { readonly journal: string; readonly cause: string },
  ): Promise<{ id: string }> {
    return idOf(await this.takeOut.correct(outgoing, context));
  }

  @MessagePattern(`${SERVICE}.house`, askedBy(EDGE_SERVICE))
  async house(): Promise<readonly HouseBook[]> {
    return [await this.houseBook.read()];
  }

  @MessagePattern(`${SERVICE}.audit`, askedBy(EDGE_SERVICE))
  async audit(): Promise<{ checks: AuditCheck[]; flow: AuditFlow }> {
    const wrong = await this.reads.wrongs();
    const detail = wrong.length === 0 ? 'open notional and settlements fit the positions' : wrong.join('; ');
    return {
      checks: [{ name: 'positions', ok: wrong.length === 0, detail }],
      flow: await this.database.transaction((tx) => flowOf(tx)),
    };
  }

  @MessagePattern(`${SERVICE}.audit.holds`, askedBy(EDGE_SERVICE))
  async auditHolds(@Payload() { buckets }: { buckets?: readonly number[] }) {
    return buckets ? this.reads.holdLines(buckets) : { digests: await this.reads.holdDigests() };
  }
}

function idOf(notice: Notice): { id: string } {
  const { id } = notice.extra;
  if (typeof id !== 'string') throw new Error('invariant: a transfer is answered with its id');
  return { id };
}
