import { Injectable } from '@nestjs/common';
import { Asks } from '@bourse/messaging';
import { Refused, type Caller } from '@bourse/platform';
import { Approvals } from './approvals.js';
import type { Shown } from './ports.js';
import type { OperatorRole } from '../ports/operators.js';

/** Calls of other services that take two people: the service tells what stands, and carries them out. */
const ASKED: readonly { readonly name: string; readonly service: string; readonly role: OperatorRole }[] = [
  { name: 'acceptors/save', service: 'c2c-escrow', role: 'finance' },
  { name: 'charge_reqs/decide', service: 'wallet-ledger', role: 'finance' },
  { name: 'deposits/return', service: 'wallet-ledger', role: 'finance' },
];

/** A call as its service asks for a second person. */
export interface AskedApproval {
  readonly operator: Caller;
  readonly call: string;
  readonly target: string;
  readonly reason: string;
  readonly after: Shown;
  readonly payload: object;
}

/** What of other services waits here for a second operator (api §2.12). */
@Injectable()
export class AskedCalls {
  private readonly requests = new Map<string, ReturnType<typeof Approvals.prototype.register<object>>>();

  constructor(approvals: Approvals, asks: Asks) {
    for (const { name, service, role } of ASKED)
      this.requests.set(
        name,
        approvals.register<object>({
          name,
          role,
          before: (_tx, payload) => asks.ask<object, Shown | null>(`${service}.approval.standing`, { payload }),
          // The service carries it out against what stands there; a repeat finds it done, and changes nothing.
          carryOut: async (_tx, payload) => {
            await asks.ask(`${service}.approval.carryOut`, { payload });
            return { tell: () => Promise.resolve() };
          },
        }),
      );
  }

  /** Returns the approval's id. @throws Refused `common.notFound`, `common.forbidden`. */
  async ask({ call, operator, ...request }: AskedApproval): Promise<number> {
    const waits = this.requests.get(call);
    if (!waits) throw new Refused('common.notFound');
    return waits(operator, request);
  }
}
