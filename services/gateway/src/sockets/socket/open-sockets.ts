import type { IncomingMessage } from 'node:http';
import type { Server } from 'socket.io';

/** The connection below a socket, as engine.io has it. */
interface EngineSocket {
  readonly request: IncomingMessage;
  once(event: 'close', listener: () => void): void;
}

/**
 * Connections of each address, from their handshake on: one that never completes it counts like any other [HARD-312].
 * `request` is that of the handshake.
 */
export class OpenSockets {
  private readonly counts = new Map<string, number>();
  /** Releases the slot of a handshake, once. */
  private readonly places = new WeakMap<IncomingMessage, () => void>();

  /** Counts a handshake of `address`; false: it already has `max`. */
  take(request: IncomingMessage, address: string, max: number): boolean {
    const count = this.counts.get(address) ?? 0;
    if (count >= max) return false;
    this.counts.set(address, count + 1);
    this.places.set(request, () => {
      this.places.delete(request);
      const left = (this.counts.get(address) ?? 1) - 1;
      if (left > 0) this.counts.set(address, left);
      else this.counts.delete(address);
    });
    return true;
  }

  /** Releases slots: when the connection closes, when its handshake fails, and when it ends before either. */
  watch(engine: Server['engine']): void {
    const events = engine as unknown as {
      on(event: 'connection', listener: (socket: EngineSocket) => void): void;
      on(event: 'connection_error', listener: (error: { readonly req: IncomingMessage }) => void): void;
    };
    events.on('connection', (socket) => {
      const give = this.places.get(socket.request);
      if (!give) return;
      // From here on the connection counts, not the request: a long poll ends its first request at once.
      this.places.delete(socket.request);
      socket.once('close', give);
    });
    events.on('connection_error', ({ req }) => this.places.get(req)?.());
  }

  /** Releases the slot of a handshake whose connection was lost before it was complete. */
  abandoned(request: IncomingMessage): void {
    this.places.get(request)?.();
  }

  of(address: string): number {
    return this.counts.get(address) ?? 0;
  }
}
