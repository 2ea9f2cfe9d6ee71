import { Injectable, Logger } from '@nestjs/common';
import { Config, isForwarded, Metrics, plainAddress, trustOf } from '@bourse/platform';
import type { IncomingMessage } from 'node:http';
import type { Counter } from 'prom-client';

/**
 * Notices requests that a proxy has passed on whom nobody has named: then all people behind it are one address, with
 * one address's rates and sockets, and `TRUSTED_PROXIES` wants its name. It is told once, and counted [HARD-208].
 */
@Injectable()
export class ForwardedWatch {
  private readonly log = new Logger('Addresses');
  private readonly trust;
  private readonly counted: Counter;
  private told = false;

  constructor(config: Config, metrics: Metrics) {
    this.trust = trustOf(config.trustedProxies);
    this.counted = metrics.counter(
      'bourse_forwarded_unnamed_total',
      'Requests passed on by a proxy that TRUSTED_PROXIES does not name: all people behind it count as one address',
    );
  }

  see(request: IncomingMessage): void {
    if (!isForwarded(request)) return;
    const peer = request.socket.remoteAddress ?? '';
    if (this.trust(peer, 0)) return;
    this.counted.inc();
    if (this.told) return;
    this.told = true;
    this.log.warn(
      `${plainAddress(peer)} passes requests on (it sends X-Forwarded-For or the like) ` +
        'and is not in TRUSTED_PROXIES. If it is your proxy, ' +
        'name its address or network there: until then all people behind it have the rates and sockets of one address.',
    );
  }
}
