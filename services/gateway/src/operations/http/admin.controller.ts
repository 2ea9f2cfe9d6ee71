import { Body, Controller } from '@nestjs/common';
import type { MarketPartitions } from '@bourse/messaging';
import { Call, CurrentCaller, file, message, Notice, notice, Raw, Refused, type Caller } from '@bourse/platform';
import { BreakerBody, PartitionBody } from './fields.js';
import { auditResult, marketPartitions } from './answers.js';
import { Auditor, isHard, type ShownAudit } from '../../reconciliation/application/auditor.js';
import { Breakers } from '../../breakers/application/breakers.js';
import { MarketMoves } from '../../breakers/application/market-moves.js';
import { OpenApiOfAll } from '../../edge/http/open-api.js';

/** Deadline of the call that reopens, and of the auditor's round within it. */
const REOPEN_MS = 30_000;
const ROUND_MS_MAX = 25_000;

/** Operators' views and actions for the exchange as a whole (api §2.12). */
@Controller()
export class AdminController {
  constructor(
    private readonly auditor: Auditor,
    private readonly breakers: Breakers,
    private readonly moves: MarketMoves,
    private readonly openApi: OpenApiOfAll,
  ) {}

  /** Operators' calls are in this document only, beside all the others. */
  @Call(
    { method: 'GET', path: '/api/admin/openapi.json', auth: 'operator', role: 'support', raw: true },
    { summary: 'This interface with the calls of operators, as OpenAPI', answer: file('application/json') },
  )
  async document(): Promise<Raw> {
    return new Raw(await this.openApi.whole());
  }

  @Call(
    { method: 'GET', path: '/api/admin/reconciliation', auth: 'operator', role: 'support' },
    { summary: 'Get the last findings of the auditor', answer: message(auditResult) },
  )
  async reconciliation(): Promise<ShownAudit> {
    return this.auditor.shown(await this.auditor.latest());
  }

  /**
   * Stops or opens markets and products. After a freeze of the auditor nothing opens before a round begun now is clean;
   * otherwise the last round decides, and the next one finds later faults: if services have much to compare, a round
   * takes longer than a call may [AUDIT-012].
   */
  @Call(
    { method: 'POST', path: '/api/admin/breaker', auth: 'operator', role: 'admin', deadlineMs: REOPEN_MS },
    {
      summary: 'Stop or open a market, a product, or everything',
      answer: notice('admin.breakerSet'),
      refuses: ['admin.stillWrong', 'admin.cancelOnlyFirst', 'admin.reopenAll', 'common.notFound'],
    },
  )
  async breaker(@Body() fields: BreakerBody, @CurrentCaller() caller: Caller): Promise<Notice> {
    const { scope, mode, reason } = fields;
    // Read before the round, which says nothing about a freeze that is committed during it.
    const seen = await this.breakers.readFreeze();
    if (mode === 'normal') {
      const from = performance.now();
      const round = await (seen ? this.auditor.now() : this.auditor.latest());
      const wrong = round.checks.find(
        (check) => isHard(check) || (!check.ok && /^(flow\.delay|gateway\.reach)$/.test(check.name)),
      );
      if (wrong) throw new Refused('admin.stillWrong', { check: wrong.name });
      // The caller has been answered by then that nothing was done.
      if (performance.now() - from > ROUND_MS_MAX) throw new Refused('common.unavailable');
    }
    const who = { operatorId: caller.userId, operator: caller.accountNumber, reason };
    await this.breakers.set(scope, mode, who, seen);
    return new Notice('admin.breakerSet');
  }

  @Call(
    { method: 'GET', path: '/api/admin/partitions', auth: 'operator', role: 'support' },
    { summary: 'The partition of the books that runs each market', answer: message(marketPartitions) },
  )
  partitions(): Promise<MarketPartitions> {
    return this.moves.where();
  }

  /** Trading continues meanwhile: commands that reach the old partition are passed on. */
  @Call(
    { method: 'POST', path: '/api/admin/partition', auth: 'operator', role: 'admin' },
    { summary: 'Move a market to another partition of the books', answer: notice('admin.pairMoved') },
  )
  async partition(@Body() fields: PartitionBody, @CurrentCaller() caller: Caller): Promise<Notice> {
    const { symbol, partition, reason } = fields;
    await this.moves.move(symbol, partition, {
      operatorId: caller.userId,
      operator: caller.accountNumber,
      reason,
    });
    return new Notice('admin.pairMoved');
  }
}
