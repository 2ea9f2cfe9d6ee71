import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { askedBy, type ServiceDescription } from '@bourse/messaging';
import { EDGE_SERVICE } from '@bourse/platform';

const SERVICE = 'notices';

/** What this service says of itself. */
@Controller()
export class NoticesAsksController {
  @MessagePattern(`${SERVICE}.describe`, askedBy(EDGE_SERVICE))
  describe(): ServiceDescription {
    return { service: SERVICE, audits: true, work: true };
  }
}
