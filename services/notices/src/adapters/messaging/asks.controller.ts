import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { askedBy, type ServiceDescription } from '@bourse/messaging';
import { EDGE_SERVICE } from '@bourse/platform';

/** What other services may ask of notices. */
@Controller()
export class NoticesAsksController {
  @MessagePattern('notices.describe', askedBy(EDGE_SERVICE))
  describe(): ServiceDescription {
    return { service: 'notices' };
  }
}
