import { Inject, Injectable } from '@nestjs/common';
import { Config } from '../config/index.js';
import { isLoopbackHost } from './addresses.js';

/**
 * Which pages are our own. In production those that `PUBLIC_ORIGINS` lists and nothing else: a `Host` header is what
 * the caller says, and a foreign name may be led here (DNS rebinding). On a demo install also pages of this machine
 * under a loopback name [HARD-313].
 */
@Injectable()
export class OwnOrigins {
  constructor(
    @Inject(Config)
    private readonly config: Pick<Config, 'publicOrigins' | 'corsOrigins' | 'dev' | 'port' | 'socketPort'>,
  ) {}

  /** Whether `origin` is a page of ours; `host` is the name by which we were asked. */
  isOwn(origin: string, host: string | undefined): boolean {
    if (this.config.publicOrigins.includes(origin)) return true;
    if (!this.config.dev || !URL.canParse(origin)) return false;
    const { host: authority, port, origin: read } = new URL(origin);
    return (
      read === origin &&
      isLoopbackHost(authority) &&
      (authority === host?.toLowerCase() || port === `${this.config.port}`)
    );
  }

  /** Whether a page of `origin` may use the exchange: an own one, or one of `CORS_ORIGINS`. */
  isKnown(origin: string, host: string | undefined): boolean {
    return this.config.corsOrigins.includes(origin) || this.isOwn(origin, host);
  }

  /** Whether `host` is a name of ours. */
  isOwnHost(host: string | undefined): boolean {
    if (host === undefined) return false;
    return (
      (this.config.dev && isLoopbackHost(host)) ||
      this.config.publicOrigins.some((origin) => new URL(origin).host === host.toLowerCase())
    );
  }

  /**
   * Origins at which a page served as `host` finds our sockets, when these have a port of their own (`SOCKET_PORT`).
   */
  socketOrigins(host: string | undefined): readonly string[] {
    const { socketPort, publicOrigins, dev } = this.config;
    if (socketPort === 0) return [];
    const pages = publicOrigins.map((origin) => new URL(origin).hostname);
    if (dev && host !== undefined && isLoopbackHost(host)) pages.push(host.replace(/:\d+$/, ''));
    return [...new Set(pages)].flatMap((name) =>
      ['http', 'https', 'ws', 'wss'].map((scheme) => `${scheme}://${name}:${socketPort}`),
    );
  }
}
