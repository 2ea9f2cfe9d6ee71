import type { Provider } from '@nestjs/common';
import type { Params } from '@bourse/contract';
import { Refused } from '@bourse/platform';
import { Asks } from '../ports.js';
import { authAsks } from '../asks/declared/auth.js';

/** The verdict of auth on a fund password. */
export type FundVerdict =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly key: 'fund.wrong' | 'fund.locked' | 'fund.mustReset' | 'fund.notSet';
      readonly params: Params;
    };

/** The fund password of a call, checked by auth: the last of its fields (api §1.4, rules §8.6). */
export class FundGate {
  /** The same password of the same person asked at the same time is one try. */
  private readonly asked = new Map<string, Promise<FundVerdict>>();

  constructor(private readonly verify: (userId: number, password: string) => Promise<FundVerdict>) {}

  /**
   * @throws Refused `fund.required` (996) when it is missing, then what auth says: `fund.wrong` {left}, `fund.locked`
   * {seconds}, `fund.mustReset` (996), `fund.notSet`.
   * @param stored hash that the caller has read before; no verdict on another one is shared with it [AUTH-241]
   */
  async demand(userId: number, password: string | undefined, field = 'password', stored = ''): Promise<void> {
    if (password === undefined) throw new Refused('fund.required', {}, { field });
    const verdict = await this.verdictOn(userId, password, stored);
    if (!verdict.ok) throw new Refused(verdict.key, verdict.params, { field });
  }

  private verdictOn(userId: number, password: string, stored: string): Promise<FundVerdict> {
    const key = `${userId}:${stored}:${password}`;
    const asked = this.asked.get(key) ?? this.verify(userId, password).finally(() => this.asked.delete(key));
    this.asked.set(key, asked);
    return asked;
  }
}

/** Provides `FundGate` in a service that asks auth. */
export const askedFundGate: Provider = {
  provide: FundGate,
  inject: [Asks],
  useFactory: (asks: Asks) => new FundGate((userId, password) => asks.ask(authAsks.fund, { userId, password })),
};
