import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { DEMO_PEOPLE } from '@bourse/contract';
import { askedBy, type ServiceDescription } from '@bourse/messaging';
import { Config, EDGE_SERVICE, PICTURE_READERS, Refused, SERVICE_NAMES } from '@bourse/platform';
import { Breakers } from '../../application/breakers.js';
import { Uploads } from '../../application/uploads.js';
import { ExchangeAlarms } from '../http/exchange-alarms.js';

/** The policy whose breakers and alarms decide whether withdrawals are stopped. */
const OUT = { method: 'POST', path: '/api/wallet/out', auth: 'user', gates: ['out'], money: true } as const;

/** Answers the questions of other services to the gateway. */
@Controller()
export class GatewayAsksController {
  constructor(
    private readonly uploads: Uploads,
    private readonly breakers: Breakers,
    private readonly alarms: ExchangeAlarms,
    private readonly config: Config,
  ) {}

  @MessagePattern('gateway.describe', askedBy(EDGE_SERVICE))
  describe(): ServiceDescription {
    return { service: EDGE_SERVICE, exports: ['audit'] };
  }

  @MessagePattern('gateway.upload', askedBy('auth', ...PICTURE_READERS))
  async claimUpload(
    @Payload() { name, userId, scene }: { name: string; userId: number; scene: string },
  ): Promise<{ ok: boolean }> {
    return { ok: await this.uploads.claim(name, userId, scene) };
  }

  /** Of these names those that are pictures of news: a news item names them from now on, and everybody sees them. */
  @MessagePattern('gateway.newsPictures', askedBy(...PICTURE_READERS))
  async claimNewsPictures(@Payload() { names }: { names: readonly string[] }): Promise<{ names: readonly string[] }> {
    return { names: await this.uploads.claimNews(names) };
  }

  /** A picture to be put into a document of the deal that it belongs to; null: it is gone. */
  @MessagePattern('gateway.picture', askedBy(...PICTURE_READERS))
  async picture(@Payload() { name }: { name: string }): Promise<{ contentType: string; image: string } | null> {
    const found = await this.uploads.read(name);
    return found && { contentType: found.contentType, image: found.bytes.toString('base64') };
  }

  /**
   * Keeps a picture as if one of the demo people had uploaded it, `image` in base64; what an upload refuses is refused
   * here, too. Only a demo install has such people, and nobody speaks for others [AUTH-143].
   */
  @MessagePattern('gateway.demoPicture', askedBy('auth'))
  async keepDemoPicture(@Payload() { userId, image }: { userId: number; image: string }): Promise<{ address: string }> {
    if (!this.config.dev || !DEMO_PEOPLE.some(({ id }) => id === userId)) throw new Refused('common.forbidden');
    return { address: await this.uploads.add(userId, 'pay', Buffer.from(image, 'base64')) };
  }

  @MessagePattern('gateway.forgetPictures', askedBy('auth', ...PICTURE_READERS))
  async forgetPictures(@Payload() { names }: { names: readonly string[] }): Promise<{ removed: number }> {
    return { removed: await this.uploads.forget(names) };
  }

  /**
   * Who sends payments asks before each new one: what stops the calls stops those that were approved before, too.
   * Whoever pays out may ask: the answer is a flag.
   */
  @MessagePattern('gateway.withdrawals', askedBy(...SERVICE_NAMES))
  withdrawals(): { stopped: boolean } {
    return { stopped: this.breakers.stops(OUT, 'yes') || this.alarms.stops(OUT) };
  }
}
