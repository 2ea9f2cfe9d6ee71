import { Injectable } from '@nestjs/common';
import { Asks } from '@bourse/messaging';
import { present, Refused, type FieldRecord } from '@bourse/platform';

type Verdict = { readonly ok: true } | { readonly ok: false; readonly key: string; readonly params: Readonly<Record<string, string | number>> };

/** The fund password of a call, judged by auth: the last of its fields (api §1.4, rules §8.6). */
@Injectable()
export class FundGate {
  constructor(private readonly asks: Asks) {}

  /** @throws Refused `fund.required` (996) when it is missing, then what auth says: `fund.wrong` {left}, `fund.locked` {seconds}, `fund.mustReset` (996), `fund.notSet`. */
  async demand(userId: number, fields: FieldRecord, field = 'password'): Promise<void> {
    const password = present(fields, field);
    if (password === undefined) throw new Refused('fund.required', {}, { field });
    const verdict = await this.asks.ask<{ userId: number; password: string }, Verdict>('auth.fund', { userId, password });
    if (!verdict.ok) throw new Refused(verdict.key, verdict.params, { field });
  }
}
