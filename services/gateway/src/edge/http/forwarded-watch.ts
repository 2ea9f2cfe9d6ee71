import { Injectable, Logger } from '@nestjs/common';
import { clientAddress, Config, isForwarded, isPrivateAddress, Metrics, plainAddress, trustOf } from '@bourse/platform';
import type { IncomingMessage } from 'node:http';
import type { Counter } from 'prom-client';

/**
 * Notices requests that an unnamed proxy has passed on: then all people behind it share one address, with its rates and
 * sockets, and `TRUSTED_PROXIES` should name it. Logged once, and counted [HARD-208]. A named proxy may itself not know
 * the client: behind a balancer that hides addresses it names a node of the cluster. Nobody on the internet has such an
 * address, so both kinds are counted separately.
 */
@Injectable()
export class ForwardedWatch {
  private readonly log = new Logger('Addresses');
  private readonly trust;
  private readonly counted: Counter;
  private readonly passedOn: Counter;
  private told = false;

  constructor(config: Config, metrics: Metrics) {
    this.trust = trustOf(config.trustedProxies);
    this.counted = metrics.counter(
      'bourse_forwarded_unnamed_total',
      'Requests passed on by a proxy that TRUSTED_PROXIES does not name: all people behind it count as one address',
    );
    this.passedOn = metrics.counter(
      'bourse_forwarded_total',
      'Requests passed on by a proxy of TRUSTED_PROXIES, by the kind of address that it says they come from',
      ['client'],
    );
  }

  see(request: IncomingMessage): void {
    if (!isForwarded(request)) return;
    const peer = request.socket.remoteAddress ?? '';
    if (this.trust(peer, 0)) {
      this.passedOn.inc({ client: isPrivateAddress(clientAddress(request, this.trust)) ? 'private' : 'public' });
      return;
    }
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
