import { Injectable, type WsMessageHandler } from '@nestjs/common';
import { AbstractWsAdapter } from '@nestjs/websockets';
import { SocketAdapterHost } from '@bourse/platform';
import type { Observable } from 'rxjs';
import { Server, type ServerOptions, type Socket } from 'socket.io';

export type Ack = ((answer: object) => void) | undefined;

/**
 * socket.io for Nest's gateways. The server is created here and attached by its gateway, which knows when it may be
 * reachable; the handlers acknowledge frames themselves, in the same turn as their effect.
 */
@Injectable()
export class SocketAdapter extends AbstractWsAdapter {
  constructor(host: SocketAdapterHost) {
    super();
    host.adapter = this;
  }

  create(_port: number, options?: Partial<ServerOptions>): Server {
    return new Server(options);
  }

  bindMessageHandlers(
    socket: Socket,
    handlers: WsMessageHandler[],
    run: (handled: unknown) => Observable<unknown>,
  ): void {
    for (const { message, callback } of handlers)
      socket.on(message, (...values: unknown[]) => {
        const payload = typeof values[0] === 'function' ? undefined : values[0];
        // An interceptor turns it into a stream: nothing happens before a subscription.
        run(callback(payload, ackOf(values))).subscribe();
      });
  }

  /** The gateway has already closed it, with its connections. */
  override close(): Promise<void> {
    return Promise.resolve();
  }
}

/** The acknowledgement of a frame; undefined: its sender has not asked for one. */
export const ackOf = (values: readonly unknown[]): Ack => {
  const last = values.at(-1);
  return typeof last === 'function' ? (last as Ack) : undefined;
};
