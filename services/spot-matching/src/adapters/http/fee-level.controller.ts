import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { feeLevelView, type FeeLevelView } from '@bourse/contract';
import { Call, CurrentCaller, message, type Caller } from '@bourse/platform';
import { FeeLevels } from '../../application/fee-levels.js';

/** A person's level of spot fees (api §2.3). */
@ApiTags('spot')
@Controller()
export class FeeLevelController {
  constructor(private readonly levels: FeeLevels) {}

  @Call(
    { method: 'GET', path: '/api/user/fee_level', auth: 'user', rate: 'read', apiKey: 'read' },
    { summary: 'Own level of spot fees', answer: message(feeLevelView) },
  )
  own(@CurrentCaller() caller: Caller): Promise<FeeLevelView> {
    return this.levels.of(caller.userId);
  }
}
