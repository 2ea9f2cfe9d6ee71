import { Controller } from '@nestjs/common';
import { DEMO_PEOPLE } from '@bourse/contract';
import {
  Answers,
  flowOf,
  gatewayAsks,
  serviceAsks,
  type AuditRound,
  type QuestionOf,
  type ServiceDescription,
} from '@bourse/messaging';
import { Config, EDGE_SERVICE, Refused } from '@bourse/platform';
import { Breakers } from '../../breakers/application/breakers.js';
import { Uploads } from '../../uploads/application/uploads.js';
import { ExchangeAlarms } from '../../edge/http/exchange-alarms.js';
import { GatewayDatabase } from '../../shared/persistence/gateway-database.js';

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
    private readonly database: GatewayDatabase,
  ) {}

  @Answers(serviceAsks.describe('gateway'))
  describe(): ServiceDescription {
    return { service: EDGE_SERVICE, exports: ['audit'], audits: true };
  }

  /** Joining is the work of `Auditor`: this tells how far its own consumers have read. */
  @Answers(serviceAsks.audit('gateway'))
  async audit(): Promise<AuditRound> {
    return { checks: [], flow: await this.database.transaction((tx) => flowOf(tx)) };
  }

  @Answers(gatewayAsks.upload)
  async claimUpload({ name, userId, scene }: QuestionOf<typeof gatewayAsks.upload>) {
    return { ok: await this.uploads.claim(name, userId, scene) };
  }

  /** Of these names those that are pictures of news: a news item names them from now on, and everybody sees them. */
  @Answers(gatewayAsks.newsPictures)
  async claimNewsPictures({ names }: QuestionOf<typeof gatewayAsks.newsPictures>) {
    return { names: await this.uploads.claimNews(names) };
  }

  /** A picture to be put into a document of the deal that it belongs to; null: it is gone. */
  @Answers(gatewayAsks.picture)
  async picture({ name }: QuestionOf<typeof gatewayAsks.picture>) {
    const found = await this.uploads.read(name);
    return found && { contentType: found.contentType, image: found.bytes.toString('base64') };
  }

  /**
   * Keeps a picture as if one of the demo people had uploaded it, `image` in base64; what an upload refuses is refused
   * here, too. Only a demo install has such people, and nobody speaks for others [AUTH-143].
   */
  @Answers(gatewayAsks.demoPicture)
  async keepDemoPicture({ userId, image }: QuestionOf<typeof gatewayAsks.demoPicture>) {
    if (!this.config.dev || !DEMO_PEOPLE.some(({ id }) => id === userId)) throw new Refused('common.forbidden');
    return { address: await this.uploads.add(userId, 'pay', Buffer.from(image, 'base64')) };
  }

  @Answers(gatewayAsks.forgetPictures)
  async forgetPictures({ names }: QuestionOf<typeof gatewayAsks.forgetPictures>) {
    return { removed: await this.uploads.forget(names) };
  }

  /**
   * Queried before each new payment: a stop of the calls also stops payments that were approved before. Any service
   * that pays out may ask: the answer is a flag.
   */
  @Answers(gatewayAsks.withdrawals)
  withdrawals(): { stopped: boolean } {
    return { stopped: this.breakers.stops(OUT, 'yes') || this.alarms.stops(OUT) };
  }

  /** Queried before a service begins for people what they have ordered earlier, by the rules of the calls that do. */
  @Answers(gatewayAsks.openings)
  openings({ breaker }: QuestionOf<typeof gatewayAsks.openings>): { stopped: boolean } {
    const policy = { method: 'POST', path: '', auth: 'user', money: true, breaker } as const;
    return { stopped: this.breakers.stops(policy, 'no') || this.alarms.stops(policy) };
  }
}
