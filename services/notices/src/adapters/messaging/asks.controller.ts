import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { askedBy, type ServiceDescription } from '@bourse/messaging';
import { EDGE_SERVICE } from '@bourse/platform';

const SERVICE = 'notices';

/** The service's description of itself. */
@Controller()
export class NoticesAsksController {
  @MessagePattern(`${SERVICE}.describe`, askedBy(EDGE_SERVICE))
  describe(): ServiceDescription {
    return { service: SERVICE, audits: true, work: true };
  }
}
