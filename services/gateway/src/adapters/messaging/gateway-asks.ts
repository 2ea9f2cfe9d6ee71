import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Asks, describeService } from '@bourse/messaging';
import { EDGE_SERVICE, SERVICE_NAMES } from '@bourse/platform';
import { Breakers } from '../../application/breakers.js';
import { Uploads } from '../../application/uploads.js';
import { ExchangeAlarms } from '../http/exchange-alarms.js';

/** What a call that takes money out needs to be open. */
const OUT = { method: 'POST', path: '/api/wallet/out', auth: 'user', gates: ['out'], money: true } as const;

/** What other services ask the gateway. */
@Injectable()
export class GatewayAsks implements OnModuleInit {
  constructor(
    private readonly asks: Asks,
    private readonly uploads: Uploads,
    private readonly breakers: Breakers,
    private readonly alarms: ExchangeAlarms,
  ) {}

  onModuleInit(): void {
    describeService(this.asks, { service: EDGE_SERVICE, exports: ['audit'] });
    this.asks.handle(
      'gateway.upload',
      async ({ name, userId, scene }: { name: string; userId: number; scene: string }) => ({
        ok: await this.uploads.claim(name, userId, scene),
      }),
      ['auth'],
    );
    this.asks.handle(
      'gateway.forgetPictures',
      async ({ names }: { names: readonly string[] }) => ({ removed: await this.uploads.forget(names) }),
      ['auth'],
    );
    // Who sends payments asks before each new one: what stops the calls stops those that were approved before, too.
    // Whoever pays out may ask: the answer is a flag.
    this.asks.handle(
      'gateway.withdrawals',
      () => Promise.resolve({ stopped: this.breakers.stops(OUT) || this.alarms.stops(OUT) }),
      SERVICE_NAMES,
    );
  }
}
