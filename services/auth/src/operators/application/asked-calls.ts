import { Injectable } from '@nestjs/common';
import { Asks, serviceAsks, type ApprovalRequest, type GuardedPayload } from '@bourse/messaging';
import { Refused } from '@bourse/platform';
import { Approvals } from './approvals.js';
import type { CarriedOut, WaitingCall } from './approval-ports.js';
import type { OperatorRole } from '../../shared/application/ports/operators.js';

/** Calls of other services that take two people: the service returns the values in force, and carries the call out. */
const ASKED: readonly { readonly name: string; readonly service: string; readonly role: OperatorRole }[] = [
  { name: 'acceptors/save', service: 'c2c-escrow', role: 'finance' },
  { name: 'charge_reqs/decide', service: 'wallet-ledger', role: 'finance' },
  { name: 'deposits/return', service: 'wallet-ledger', role: 'finance' },
  { name: 'notices/send', service: 'notices', role: 'support' },
];
/** Lists of the catalog whose rows have guarded columns. */
const GUARDED_LISTS = ['pairs', 'protocols', 'micro_seconds', 'insurance_types', 'deposit_configs'];
/** Changes of guarded rows: their owner is named in the payload (api §2.12). */
export const GUARDED_CALLS: readonly string[] = [
  'settings/save',
  ...GUARDED_LISTS.map((name) => `catalog/${name}/save`),
];
/** How long an approved change of a guarded row is held before it comes into force, business time. */
const HOLD_MS = 3_600_000;

const DONE: CarriedOut = { publishEvents: () => Promise.resolve() };

/**
 * Calls of other services that wait for a second operator (api §2.12). The owning service answers the values in force,
 * and carries the call out.
 */
@Injectable()
export class AskedCalls {
  private readonly requests = new Map<string, ReturnType<typeof Approvals.prototype.register<never>>>();

  constructor(
    private readonly approvals: Approvals,
    private readonly asks: Asks,
  ) {
    for (const { name, service, role } of ASKED)
      this.register<object>({
        name,
        role,
        isAsked: true,
        before: (_tx, payload) => asks.ask(serviceAsks.approvalStanding(service), { payload }),
        carryOut: async (_tx, payload, { approval }) => {
          const { id, sent } = approval;
          if (!sent) throw new Error(`invariant: approval ${id} is carried out and not marked as sent`);
          await asks.ask(serviceAsks.approvalCarryOut(service), { payload, approval: { id, sentAt: sent.at } });
          return DONE;
        },
      });
    for (const name of GUARDED_CALLS) this.register(this.guarded(name));
  }

  /** Returns the approval's id. @throws Refused `common.notFound`, `common.forbidden`. */
  async ask({ call, operator, payload, ...request }: ApprovalRequest): Promise<number> {
    const waits = this.requests.get(call);
    if (!waits) throw new Refused('common.notFound');
    return waits(operator, { ...request, payload: payload as never });
  }

  private register<P>(call: WaitingCall<P>): void {
    this.requests.set(call.name, this.approvals.register(call));
  }

  private guarded(name: string): WaitingCall<GuardedPayload> {
    return {
      name,
      role: 'admin',
      holdMs: HOLD_MS,
      isAsked: true,
      before: (_tx, payload) => this.asks.ask(serviceAsks.guardedStanding(payload.service), { payload }),
      carryOut: async (_tx, payload, { requesterId, reason, approval, approvedBy }) => {
        const { done } = await this.asks.ask(serviceAsks.guardedCarryOut(payload.service), {
          approvalId: approval.id,
          payload,
          before: approval.before,
          by: { operatorId: requesterId, operator: approval.createdByName, reason },
          approvedBy,
        });
        if (!done) throw new Refused('admin.outdated');
        return DONE;
      },
    };
  }
}
