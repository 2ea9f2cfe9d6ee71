import { Injectable, type WsMessageHandler } from '@nestjs/common';
import { AbstractWsAdapter } from '@nestjs/websockets';
import { SocketAdapterHost } from '@bourse/platform';
import type { Observable } from 'rxjs';
import { Server, type ServerOptions, type Socket } from 'socket.io';

export type Ack = ((answer: object) => void) | undefined;

/**
 * socket.io for Nest's gateways. The server is made here and attached by its gateway, which knows when it may be
 * reached; acknowledgements are given by the handlers, in the turn in which they do what they acknowledge.
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
        // An interceptor makes a stream of it: nothing happens before somebody listens.
        run(callback(payload, ackOf(values))).subscribe();
      });
  }

  /** The gateway has closed it before, with its connections. */
  override close(): Promise<void> {
    return Promise.resolve();
  }
}

/** How the sender of a frame is answered; undefined: it does not ask to be. */
export const ackOf = (values: readonly unknown[]): Ack => {
  const last = values.at(-1);
  return typeof last === 'function' ? (last as Ack) : undefined;
};
