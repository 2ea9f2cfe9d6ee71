import { createConnection, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Direction: bytes of the caller to the server, or the server's answer. */
export type Way = 'request' | 'reply';
/** A watcher's decision about a chunk: forward it, hold it for ever, or cut the connection without forwarding it. */
export type Verdict = 'pass' | 'keep' | 'cut';
export type Watcher = (way: Way, piece: Buffer, link: Link) => Verdict;

/** One connection through a proxy. */
export class Link {
  /** For watchers that follow a conversation. */
  readonly notes = new Map<string, unknown>();
  constructor(
    readonly caller: Socket,
    readonly server: Socket,
  ) {}
  cut(): void {
    this.caller.resetAndDestroy();
    this.server.resetAndDestroy();
  }
}

/**
 * A TCP proxy on 127.0.0.1 between the exchange and a server, or between clients and the exchange. It can hold all
 * bytes (half-open), delay them, cut replies, and pass every chunk to a watcher first, so that a test can inject a
 * fault between two chunks.
 */
export class Proxy {
  /** Half-open: connections stay, nothing passes. */
  frozen = false;
  /** Every piece comes this much later, each way, in ms. */
  delayMs = 0;
  /** New connections are refused. */
  closed = false;
  watcher: Watcher | null = null;
  /** Ports of more instances of the server: new connections take turns among all of them. */
  readonly more = new Set<number>();
  /** Ports of instances that are not ready: new connections go to the others, while there are any. */
  readonly resting = new Set<number>();
  /** Pieces of callers by the port that got them. */
  readonly asked = new Map<number, number>();
  private turn = 0;
  private readonly links = new Set<Link>();

  private constructor(
    private readonly listener: Server,
    public target: number,
  ) {}

  static async open(target: number): Promise<Proxy> {
    const listener = createServer({ noDelay: true });
    const proxy = new Proxy(listener, target);
    listener.on('connection', (caller) => proxy.accept(caller));
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject);
      listener.listen(0, '127.0.0.1', resolve);
    });
    return proxy;
  }

  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }
  get connections(): number {
    return this.links.size;
  }

  private accept(caller: Socket): void {
    if (this.closed) {
      caller.resetAndDestroy();
      return;
    }
    const all = [this.target, ...this.more];
    const ready = all.filter((one) => !this.resting.has(one));
    const ports = ready.length > 0 ? ready : all;
    const port = ports[(this.turn += 1) % ports.length] ?? this.target;
    const server = createConnection({ port, host: '127.0.0.1', noDelay: true });
    const link = new Link(caller, server);
    this.links.add(link);
    const end = (): void => {
      this.links.delete(link);
      caller.destroy();
      server.destroy();
    };
    for (const socket of [caller, server]) {
      socket.on('error', end);
      socket.on('close', end);
    }
    caller.on('data', () => this.asked.set(port, (this.asked.get(port) ?? 0) + 1));
    this.pump(link, 'request', caller, server);
    this.pump(link, 'reply', server, caller);
  }

  private pump(link: Link, way: Way, from: Socket, to: Socket): void {
    let last = Promise.resolve();
    from.on('data', (piece) => {
      const verdict = this.watcher?.(way, piece, link) ?? 'pass';
      if (verdict === 'cut') return link.cut();
      if (verdict === 'keep') return;
      const due = Date.now() + this.delayMs;
      const write = (): void => {
        if (to.destroyed) return;
        if (!to.write(piece)) {
          from.pause();
          to.once('drain', () => from.resume());
        }
      };
      if (!this.frozen && this.delayMs === 0 && !link.notes.has(`late ${way}`)) return write();
      // Once late, what follows must queue behind it.
      link.notes.set(`late ${way}`, true);
      last = last.then(async () => {
        while (!to.destroyed && (this.frozen || Date.now() < due))
          await new Promise((resolve) => setTimeout(resolve, 10));
        write();
      });
    });
  }

  /** Cuts every connection there is. */
  cutAll(): void {
    for (const link of this.links) link.cut();
  }

  /**
   * As it was: nothing is held back any more. Connections that a fault has touched are cut, as a network does that
   * comes back.
   */
  heal(): void {
    const touched = this.frozen;
    Object.assign(this, { frozen: false, delayMs: 0, closed: false, watcher: null });
    if (touched) this.cutAll();
  }

  async close(): Promise<void> {
    this.cutAll();
    await new Promise<void>((resolve) => {
      this.listener.close(() => resolve());
    });
  }
}
