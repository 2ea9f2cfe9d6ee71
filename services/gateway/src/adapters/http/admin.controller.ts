import { Controller } from '@nestjs/common';
import {
  Call,
  CurrentCaller,
  Fields,
  Notice,
  Raw,
  present,
  readOneOf,
  readText,
  Refused,
  type Caller,
  type FieldRecord,
} from '@bourse/platform';
import { Auditor, isHard } from '../../application/auditor.js';
import { Breakers } from '../../application/breakers.js';
import { OpenApiOfAll } from './open-api.js';

const MODES = ['normal', 'cancel_only', 'halted'] as const;

/** What operators see and do about the exchange as a whole (api §2.12). */
@Controller()
export class AdminController {
  constructor(
    private readonly auditor: Auditor,
    private readonly breakers: Breakers,
    private readonly openApi: OpenApiOfAll,
  ) {}

  /** Calls of operators stand in this document only, beside all the others. */
  @Call({ method: 'GET', path: '/api/admin/openapi.json', auth: 'operator', role: 'support', raw: true })
  async document(): Promise<Raw> {
    return new Raw(await this.openApi.whole());
  }

  @Call({ method: 'GET', path: '/api/admin/reconciliation', auth: 'operator', role: 'support' })
  async reconciliation(): Promise<object> {
    return this.auditor.shown(await this.auditor.latest());
  }

  /**
   * Stops or opens markets and products. After a freeze of the auditor nothing opens before a round begun now is clean.
   */
  @Call({ method: 'POST', path: '/api/admin/breaker', auth: 'operator', role: 'admin' })
  async breaker(@Fields() fields: FieldRecord, @CurrentCaller() caller: Caller): Promise<Notice> {
    const scope = readText(fields, 'scope', 'common.fieldRequired', { max: 40 });
    const mode = readOneOf(fields, 'mode', MODES);
    if (mode === 'normal') {
      const wrong = (await this.auditor.now()).checks.find(
        (check) => isHard(check) || (!check.ok && /^(flow\.delay|gateway\.reach)$/.test(check.name)),
      );
      if (wrong) throw new Refused('admin.stillWrong', { check: wrong.name });
    }
    await this.breakers.set(scope, mode, {
      operatorId: caller.userId,
      operator: caller.accountNumber,
      reason: present(fields, 'reason') ?? '',
    });
    return new Notice('admin.breakerSet');
  }
}
