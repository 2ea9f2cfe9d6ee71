import { Body, Controller, Query } from '@nestjs/common';
import { Asks, authAsks, type SentMessage } from '@bourse/messaging';
import { Call, Clock, message, refuse, Refused } from '@bourse/platform';
import { ClockBody, CLOCK_SECONDS_MAX, InboxQuery } from './fields.js';
import { auditResult, clockState, inboxMessage } from './answers.js';
import * as z from 'zod/mini';
import { Auditor, type ShownAudit } from '../../reconciliation/application/auditor.js';
import { ExchangeClock } from '../../shared/application/exchange-clock.js';

const YEAR_MS = CLOCK_SECONDS_MAX * 1_000;
type ClockState = z.output<typeof clockState>;

/** Calls of a demo install (api §2.13); 404 elsewhere. */
@Controller()
export class DevController {
  constructor(
    private readonly asks: Asks,
    private readonly clock: Clock,
    private readonly exchangeClock: ExchangeClock,
    private readonly auditor: Auditor,
  ) {}

  @Call(
    { method: 'GET', path: '/dev/inbox', auth: 'dev' },
    {
      summary: 'List text messages and e-mails that this demo sent, newest first',
      answer: message(z.readonly(z.array(inboxMessage))),
    },
  )
  async inbox(@Query() fields: InboxQuery): Promise<readonly SentMessage[]> {
    const { to, scene, limit = 100 } = fields;
    const sent = await this.asks.ask(authAsks.outbox, { to, scene, limit });
    return sent
      .filter((message) => (to === undefined || message.to === to) && (scene === undefined || message.scene === scene))
      .slice(0, limit);
  }

  @Call(
    { method: 'GET', path: '/dev/clock', auth: 'dev' },
    { summary: 'The business clock', answer: message(clockState) },
  )
  read(): ClockState {
    return this.exchangeClock.state();
  }

  @Call(
    { method: 'POST', path: '/dev/clock', auth: 'dev', deadlineMs: 30_000 },
    { summary: 'Advance the business clock', answer: message(clockState), refuses: ['common.processing'] },
  )
  async move(@Body() fields: ClockBody): Promise<ClockState> {
    const { advanceSeconds } = fields;
    const ms = advanceSeconds === undefined ? this.until(fields.set) : advanceSeconds * 1_000;
    const running = await this.exchangeClock.advance(ms, fields.scope === 'all');
    const state = this.exchangeClock.state();
    if (running.length > 0) throw new Refused('common.processing', {}, { extra: { ...state, running } });
    return state;
  }

  @Call(
    { method: 'GET', path: '/dev/audit', auth: 'dev' },
    { summary: 'Run all invariants now', answer: message(auditResult) },
  )
  async check(): Promise<ShownAudit> {
    return this.auditor.shown(await this.auditor.now());
  }

  /** Distance to `set`: time text or ms, forward only. */
  private until(text: string | undefined): number {
    if (text === undefined) throw refuse('common.fieldRequired', 'advance_seconds');
    const at = /^\d{10,15}$/.test(text)
      ? Number(text)
      : /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)
        ? Date.parse(`${text.replace(' ', 'T')}Z`)
        : Number.NaN;
    const ahead = at - this.clock.now();
    if (!(ahead >= 0 && ahead <= YEAR_MS)) throw refuse('common.fieldInvalid', 'set');
    return ahead;
  }
}
