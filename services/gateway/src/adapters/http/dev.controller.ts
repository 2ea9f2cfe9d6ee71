import { Controller } from '@nestjs/common';
import { Asks } from '@bourse/messaging';
import {
  Call,
  Clock,
  Fields,
  present,
  readOneOf,
  readOptionalInteger,
  refuseField,
  type FieldRecord,
} from '@bourse/platform';
import { Auditor } from '../../application/auditor.js';
import { ExchangeClock } from '../../application/exchange-clock.js';

interface Sent {
  readonly to: string;
  readonly scene: string;
  readonly code: string;
  readonly text: string;
  readonly time: string;
}
const YEAR_MS = 366 * 86_400_000;

/** Calls of a demo install (api §2.13); 404 elsewhere. */
@Controller()
export class DevController {
  constructor(
    private readonly asks: Asks,
    private readonly clock: Clock,
    private readonly exchangeClock: ExchangeClock,
    private readonly auditor: Auditor,
  ) {}

  @Call({ method: 'GET', path: '/dev/inbox', auth: 'dev' })
  async inbox(@Fields() fields: FieldRecord): Promise<readonly Sent[]> {
    const [to, scene] = [present(fields, 'to'), present(fields, 'scene')];
    const limit = readOptionalInteger(fields, 'limit', 'common.fieldInvalid', { min: 1, max: 1_000 }) ?? 100;
    const sent = await this.asks.ask<object, readonly Sent[]>('auth.outbox', { to, scene, limit });
    return sent
      .filter((message) => (to === undefined || message.to === to) && (scene === undefined || message.scene === scene))
      .slice(0, limit);
  }

  @Call({ method: 'GET', path: '/dev/clock', auth: 'dev' })
  read(): object {
    return this.exchangeClock.state();
  }

  @Call({ method: 'POST', path: '/dev/clock', auth: 'dev' })
  async move(@Fields() fields: FieldRecord): Promise<object> {
    const advance = readOptionalInteger(fields, 'advance_seconds', 'common.fieldInvalid', {
      min: 1,
      max: YEAR_MS / 1_000,
    });
    const ms = advance === undefined ? this.until(fields) : advance * 1_000;
    const scope = present(fields, 'scope') === undefined ? 'business' : readOneOf(fields, 'scope', ['business', 'all']);
    await this.exchangeClock.advance(ms, scope === 'all');
    return this.exchangeClock.state();
  }

  @Call({ method: 'GET', path: '/dev/audit', auth: 'dev' })
  async check(): Promise<object> {
    return this.auditor.shown(await this.auditor.now());
  }

  /** How far `set` lies ahead: time text or ms, forward only. */
  private until(fields: FieldRecord): number {
    const text = present(fields, 'set');
    if (text === undefined) throw refuseField('common.fieldRequired', 'advance_seconds');
    const at = /^\d{10,15}$/.test(text)
      ? Number(text)
      : /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)
        ? Date.parse(`${text.replace(' ', 'T')}Z`)
        : Number.NaN;
    const ahead = at - this.clock.now();
    if (!(ahead >= 0 && ahead <= YEAR_MS)) throw refuseField('common.fieldInvalid', 'set');
    return ahead;
  }
}
