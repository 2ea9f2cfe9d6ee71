import { Controller } from '@nestjs/common';
import { Answers, serviceAsks, type ServiceDescription } from '@bourse/messaging';

const SERVICE = 'notices';

/** The service's description of itself. */
@Controller()
export class NoticesAsksController {
  @Answers(serviceAsks.describe(SERVICE))
  describe(): ServiceDescription {
    return { service: SERVICE, audits: true, work: true };
  }
}
