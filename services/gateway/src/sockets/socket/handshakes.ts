import type { IncomingMessage } from 'node:http';
import { clientAddress, rateAddress, type OwnOrigins, type Trust } from '@bourse/platform';
import type { ServerOptions } from 'socket.io';
import type { ForwardedWatch } from '../../edge/http/forwarded-watch.js';
import type { OpenSockets } from './open-sockets.js';

type RequestHeaders = Pick<IncomingMessage, 'headers'>;

/** Decides about a handshake before any state is kept for its connection. */
export class Handshakes {
  /** `socketsMax` is the number of sockets that one address may have. */
  constructor(
    private readonly origins: OwnOrigins,
    private readonly forwarded: ForwardedWatch,
    private readonly trust: Trust,
    private readonly open: OpenSockets,
    private readonly socketsMax: number,
  ) {}

  /** Options of an attached server. */
  options(): Partial<ServerOptions> {
    return {
      allowRequest: (request, give) => this.allow(request, give),
      cors: (request: RequestHeaders, give: (error: null, options: { origin: boolean }) => void) =>
        give(null, { origin: this.isKnown(request) }),
    };
  }

  /** Checks that the page may use this exchange, and that its address has sockets left. */
  private allow(request: IncomingMessage, give: (message: string | null, success: boolean) => void): void {
    if (request.headers.origin !== undefined && !this.isKnown(request)) return give('common.forbidden', false);
    this.forwarded.see(request);
    const address = rateAddress(clientAddress(request, this.trust));
    if (!this.open.take(request, address, this.socketsMax)) return give('common.tooMany', false);
    request.socket.once('close', () => this.open.abandoned(request));
    give(null, true);
  }

  /**
   * Whether the page that opens a socket is one of ours or listed. A program sends no `Origin`; a browser always does.
   */
  private isKnown({ headers }: RequestHeaders): boolean {
    return headers.origin !== undefined && this.origins.isKnown(headers.origin, headers.host);
  }
}
