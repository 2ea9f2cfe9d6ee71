import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { askedBy, type ServiceDescription } from '@bourse/messaging';
import { EDGE_SERVICE } from '@bourse/platform';

const SERVICE = 'lever-risk';

/** What this service says of itself, and what others ask it (docs/adding-a-service.md). */
@Controller()
export class LeverAsksController {
  @MessagePattern(`${SERVICE}.describe`, askedBy(EDGE_SERVICE))
  describe(): ServiceDescription {
    return { service: SERVICE };
  }
}
