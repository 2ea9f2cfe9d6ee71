import { createServer, type IncomingMessage, type Server as HttpServer } from 'node:http';
import { Logger, UseFilters, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import {
  Ack,
  ConnectedSocket,
  MessageBody,
  SubscribeMessage,
  WebSocketGateway,
  WebSocketServer,
  type OnGatewayConnection,
} from '@nestjs/websockets';
import { createAdapter } from '@socket.io/redis-adapter';
import { createClient } from 'redis';
import type { Server, ServerOptions, Socket } from 'socket.io';
import { redisSettings, type RedisAddress } from '@bourse/messaging';
import {
  Clock,
  clientAddress,
  Config,
  Metrics,
  OwnOrigins,
  plainAddress,
  rateAddress,
  trustOf,
  type Caller,
  type Trust,
} from '@bourse/platform';
import { PrivateEvents } from '../../application/private-events.js';
import {
  CHANNEL_EVENTS,
  DEFAULT_DEPTH_ROOM,
  DEFAULT_ROOM,
  periodOf,
  roomOf,
  type StreamChannel,
  type Subscription,
} from '../../application/public-channels.js';
import { PublicStreams } from '../../application/public-streams.js';
import { Sessions, type SessionView } from '../../application/sessions.js';
import { backlogOf, dropDepthFrames } from './backlog.js';
import { ForwardedWatch } from '../http/forwarded-watch.js';
import { TokenStrategy } from '../http/token.strategy.js';
import { FrameAllowance } from './frames.js';
import { OpenSockets } from './open-sockets.js';
import { ackOf, type Ack as GivenAck } from './socket-adapter.js';
import { SocketErrorsFilter } from './socket-errors.filter.js';

const SOCKETS_PER_USER = 5;
const SOCKETS_PER_ADDRESS = 20;
const SUBSCRIPTIONS_MAX = 50;
const FRAME_BYTES_MAX = 16 * 1024;
const HEARTBEAT_MS = 10_000;
const BACKLOG_CHECK_MS = 250;
const EXPIRY_CHECK_MS = 1_000;
const BACKLOG_SLOW_BYTES = 256 * 1024;
const BACKLOG_FINE_BYTES = 64 * 1024;
const BACKLOG_MAX_BYTES = 1024 * 1024;
/** Time for `session_closed` to leave before the cut. */
const FAREWELL_MS = 200;

/** What the server knows of a socket. */
interface SocketState {
  caller: Caller | null;
  token: string | null;
  expiresAt: number;
  loggedIn: boolean;
  readonly address: string;
  slow: boolean;
  readonly subscriptions: Map<string, Subscription>;
  readonly frames: FrameAllowance;
}
type Headed = Pick<IncomingMessage, 'headers'>;
type ClientSocket = Socket<
  Record<string, (...values: never[]) => void>,
  Record<string, (...values: unknown[]) => void>,
  Record<string, never>,
  SocketState
>;

/** socket.io as api §4 describes it: public streams by subscription or by default, private events after `login`. */
@WebSocketGateway({
  path: '/socket.io',
  serveClient: false,
  maxHttpBufferSize: FRAME_BYTES_MAX,
  pingInterval: 20_000,
  pingTimeout: 20_000,
  connectTimeout: 10_000,
  perMessageDeflate: false,
})
@UseFilters(SocketErrorsFilter)
export class SocketsGateway
  implements OnGatewayConnection<ClientSocket>, OnApplicationBootstrap, BeforeApplicationShutdown
{
  private readonly log = new Logger('Sockets');
  /** Used directly for what is sent to many: it encodes a message once for a whole room. */
  @WebSocketServer() private readonly io!: Server;
  private second: HttpServer | undefined;
  private readonly open = new OpenSockets();
  private readonly trust: Trust;
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly closing: (() => Promise<void>)[] = [];

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    private readonly sessions: Sessions,
    private readonly tokens: TokenStrategy,
    private readonly publicStreams: PublicStreams,
    private readonly privateEvents: PrivateEvents,
    private readonly origins: OwnOrigins,
    private readonly forwarded: ForwardedWatch,
  ) {
    this.trust = trustOf(config.trustedProxies);
  }

  async onApplicationBootstrap(): Promise<void> {
    const { io } = this;
    if (this.config.redisUrl) await this.useRedis(io, { url: this.config.redisUrl, ca: this.config.redisCa });
    io.use((socket, next) => {
      this.admit(socket as ClientSocket).then(() => next(), next);
    });
    const door: Partial<ServerOptions> = {
      allowRequest: (request, give) => this.allow(request, give),
      cors: (request: Headed, give: (error: null, options: { origin: boolean }) => void) =>
        give(null, { origin: this.isKnown(request) }),
    };
    io.attach(this.host.httpAdapter.getHttpServer() as HttpServer, { ...door });
    this.open.watch(io.engine);
    if (this.config.socketPort) {
      this.second = createServer((_request, response) => response.writeHead(404).end());
      io.attach(this.second, { ...door });
      this.open.watch(io.engine);
      await new Promise<void>((resolve, reject) =>
        this.second?.once('error', reject).listen(this.config.socketPort, this.config.host, resolve),
      );
    }
    this.publicStreams.connect(
      (rooms, event, payload) => {
        if (rooms.some((room) => io.sockets.adapter.rooms.has(room))) io.local.to([...rooms]).emit(event, payload);
      },
      () => io.sockets.sockets.size > 0,
    );
    this.privateEvents.onEvent((userId, { event, payload }) => {
      const room = userRoom(userId);
      // Encoding an event for nobody costs as much as for one.
      if (io.sockets.adapter.rooms.has(room)) io.local.to(room).emit(event, payload);
    });
    this.sessions.onChange((view) => this.onSession(view));
    this.sessions.onRecheck(() => {
      this.recheck().catch((error: unknown) => this.log.warn(`sessions of sockets were not checked: ${String(error)}`));
    });
    this.metrics.gauge('bourse_sockets', 'Sockets connected to this process', [], (gauge) =>
      gauge.set(io.sockets.sockets.size),
    );
    this.timers.push(
      setInterval(() => this.heartbeat(), HEARTBEAT_MS).unref(),
      setInterval(() => this.watchBacklogs(), BACKLOG_CHECK_MS).unref(),
      setInterval(() => this.endExpired(), EXPIRY_CHECK_MS).unref(),
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    this.io.local.disconnectSockets(true);
    this.io.engine.close();
    this.second?.close();
    await Promise.all(this.closing.map((close) => close()));
  }

  /**
   * Before anything is kept for a connection: whether its page may use us, and whether its address has sockets left.
   */
  private allow(request: IncomingMessage, give: (message: string | null, success: boolean) => void): void {
    if (request.headers.origin !== undefined && !this.isKnown(request)) return give('common.forbidden', false);
    this.forwarded.see(request);
    const address = rateAddress(clientAddress(request, this.trust));
    if (!this.open.take(request, address, SOCKETS_PER_ADDRESS * this.config.rateScale))
      return give('common.tooMany', false);
    request.socket.once('close', () => this.open.abandoned(request));
    give(null, true);
  }

  /** Counts and limits; a token that is not good makes a guest. */
  private async admit(socket: ClientSocket): Promise<void> {
    const { token } = socket.handshake.auth as { token?: unknown };
    const given = typeof token === 'string' && token !== '' ? token.replace(/^Bearer\s+/i, '') : null;
    const bearer = given ? await this.tokens.callerOf(given) : null;
    if (bearer) await this.privateEvents.loaded;
    // An operator has no private room: the id would name a user's.
    const caller = bearer?.kind === 'operator' ? null : bearer;
    const address = plainAddress(clientAddress(socket.request, this.trust));
    socket.data = {
      caller,
      token: caller ? given : null,
      expiresAt: caller && given ? this.sessions.expiryOf(given) : Infinity,
      loggedIn: false,
      address,
      slow: false,
      subscriptions: new Map(),
      frames: new FrameAllowance(performance.now()),
    };
    if (caller && (await this.socketsOf(caller.userId)) >= SOCKETS_PER_USER * this.config.rateScale)
      throw new Error('common.tooMany');
    if (caller) await socket.join(ownRoom(caller.userId));
  }

  handleConnection(socket: ClientSocket): void {
    void socket.join([DEFAULT_ROOM, DEFAULT_DEPTH_ROOM]);
    socket.use(([, ...values], next) => {
      if (socket.data.frames.admit(performance.now())) return next();
      if (socket.data.frames.flooding) return void socket.disconnect(true);
      answer(ackOf(values), { type: 'error', key: 'common.tooMany' });
    });
    for (const { event, payload } of this.publicStreams.welcome()) socket.emit(event, payload);
  }

  @SubscribeMessage('login')
  login(@ConnectedSocket() socket: ClientSocket, @MessageBody() payload: unknown, @Ack() ack: GivenAck): void {
    const given =
      typeof payload === 'object' && payload !== null ? (payload as { user_id?: unknown }).user_id : payload;
    const { caller } = socket.data;
    if (!caller || !(typeof given === 'number' || typeof given === 'string') || String(given) !== String(caller.userId))
      return answer(ack, { type: '999' });
    socket.data.loggedIn = true;
    void socket.join(userRoom(caller.userId));
    answer(ack, { type: 'ok', user_seq: this.privateEvents.seqOf(caller.userId) });
  }

  @SubscribeMessage('subscribe')
  subscribe(@ConnectedSocket() socket: ClientSocket, @MessageBody() payload: unknown, @Ack() ack: GivenAck): void {
    const { subscriptions } = socket.data;
    const wanted = this.read(payload);
    if (typeof wanted === 'string') return this.refuse(socket, ack, wanted);
    const room = roomOf(wanted);
    if (!subscriptions.has(room) && subscriptions.size >= SUBSCRIPTIONS_MAX)
      return this.refuse(socket, ack, 'common.tooMany');
    const { seq: from } = payload as { seq?: unknown };
    if (from !== undefined && from !== null && !(typeof from === 'number' && Number.isSafeInteger(from) && from >= 0))
      return this.refuse(socket, ack, 'common.fieldInvalid');
    void socket.leave(DEFAULT_ROOM);
    void socket.leave(DEFAULT_DEPTH_ROOM);
    // State and membership in one turn: no message of the stream can fall between them.
    const { seq, snapshot, missed } = this.publicStreams.start(wanted, typeof from === 'number' ? from : undefined);
    subscriptions.set(room, wanted);
    if (!(socket.data.slow && wanted.channel === 'depth')) void socket.join(room);
    for (const message of missed) socket.emit(CHANNEL_EVENTS[wanted.channel], message);
    const started = {
      type: 'ok',
      channel: wanted.channel,
      symbol: wanted.symbol,
      interval: wanted.interval,
      seq,
      snapshot,
    };
    if (ack) ack(started);
    else socket.emit('snapshot', started);
  }

  @SubscribeMessage('unsubscribe')
  unsubscribe(@ConnectedSocket() socket: ClientSocket, @MessageBody() payload: unknown, @Ack() ack: GivenAck): void {
    const { subscriptions } = socket.data;
    const { channel } = (payload ?? {}) as { channel?: unknown };
    if (channel === undefined || channel === '') {
      for (const room of subscriptions.keys()) void socket.leave(room);
      subscriptions.clear();
      void socket.join(DEFAULT_ROOM);
      if (!socket.data.slow) void socket.join(DEFAULT_DEPTH_ROOM);
      return answer(ack, { type: 'ok' });
    }
    const wanted = this.read(payload);
    if (typeof wanted === 'string') return answer(ack, { type: 'error', key: wanted });
    subscriptions.delete(roomOf(wanted));
    void socket.leave(roomOf(wanted));
    answer(ack, { type: 'ok' });
  }

  /** What a frame asks for, or the key it is refused with. */
  private read(payload: unknown): Subscription | string {
    if (typeof payload !== 'object' || payload === null) return 'common.fieldInvalid';
    const {
      channel,
      symbol = '',
      interval = '',
    } = payload as { channel?: unknown; symbol?: unknown; interval?: unknown };
    if (typeof channel !== 'string' || !Object.hasOwn(CHANNEL_EVENTS, channel)) return 'common.fieldInvalid';
    const name = symbol ?? '';
    if (typeof name !== 'string') return 'common.fieldInvalid';
    const needsSymbol = channel === 'depth' || channel === 'trades' || channel === 'kline';
    if (name === '' ? needsSymbol : !this.publicStreams.pair(name))
      return name === '' ? 'common.fieldInvalid' : 'pair.delisted';
    if (channel !== 'kline') return { channel: channel as StreamChannel, symbol: name, interval: '' };
    const period =
      interval === '' || interval === null
        ? '1min'
        : typeof interval === 'string' || typeof interval === 'number'
          ? periodOf(String(interval))
          : undefined;
    return period ? { channel, symbol: name, interval: period } : 'common.fieldInvalid';
  }

  private refuse(socket: ClientSocket, ack: GivenAck, key: string): void {
    if (ack) ack({ type: 'error', key });
    else socket.emit('snapshot', { type: 'error', key });
  }

  private onSession({ userId, ended }: SessionView): void {
    for (const socket of this.sockets()) {
      const { caller } = socket.data;
      if (caller?.userId !== userId || !(ended === 'all' || ended.includes(caller.sessionId))) continue;
      this.end(socket, 'ended');
    }
  }

  /** Says so, then cuts: no private event follows. */
  private end(socket: ClientSocket, reason: 'ended' | 'expired'): void {
    if (socket.data.caller) void socket.leave(userRoom(socket.data.caller.userId));
    socket.data.loggedIn = false;
    socket.data.caller = null;
    socket.data.expiresAt = Infinity;
    socket.emit('session_closed', { reason });
    setTimeout(() => socket.disconnect(true), FAREWELL_MS).unref();
  }

  private endExpired(): void {
    const now = this.clock.sessions();
    for (const socket of this.sockets()) if (socket.data.expiresAt <= now) this.end(socket, 'expired');
  }

  /** Asks auth about every signed-in socket. One that cannot be checked now stays: its calls are checked anyway. */
  private async recheck(): Promise<void> {
    for (const socket of [...this.sockets()]) {
      if (socket.data.token && socket.data.caller && !(await this.tokens.callerOf(socket.data.token)))
        this.end(socket, 'expired');
    }
  }

  private heartbeat(): void {
    const ts = this.clock.now();
    for (const socket of this.sockets()) {
      const { caller, loggedIn } = socket.data;
      socket.emit('heartbeat', { ts, user_seq: caller && loggedIn ? this.privateEvents.seqOf(caller.userId) : 0 });
    }
  }

  /** Old depth frames go first, fills never; who still holds back more than 1 MB is cut (api §4). */
  private watchBacklogs(): void {
    for (const socket of this.sockets()) {
      const bytes = backlogOf(socket);
      if (bytes > BACKLOG_MAX_BYTES) {
        this.log.warn(`a socket of ${socket.data.address} held back ${bytes} bytes and was cut`);
        socket.disconnect(true);
      } else if (bytes > BACKLOG_SLOW_BYTES) this.spare(socket);
      else if (socket.data.slow && bytes < BACKLOG_FINE_BYTES) this.resume(socket);
    }
  }

  private spare(socket: ClientSocket): void {
    dropDepthFrames(socket);
    if (socket.data.slow) return;
    socket.data.slow = true;
    void socket.leave(DEFAULT_DEPTH_ROOM);
    for (const [room, { channel }] of socket.data.subscriptions) if (channel === 'depth') void socket.leave(room);
  }

  private resume(socket: ClientSocket): void {
    socket.data.slow = false;
    if (socket.data.subscriptions.size === 0) void socket.join(DEFAULT_DEPTH_ROOM);
    for (const [room, wanted] of socket.data.subscriptions) {
      if (wanted.channel !== 'depth') continue;
      const { snapshot } = this.publicStreams.start(wanted);
      void socket.join(room);
      if (snapshot) socket.emit('market_depth', snapshot);
    }
  }

  private sockets(): Iterable<ClientSocket> {
    return this.io.sockets.sockets.values() as Iterable<ClientSocket>;
  }

  /** Sockets of a user in all gateways; of this one alone when the others cannot be asked. */
  private async socketsOf(userId: number): Promise<number> {
    const room = ownRoom(userId);
    try {
      return (await this.io.in(room).fetchSockets()).length;
    } catch (error) {
      this.log.warn(`sockets of a user were counted here alone: ${String(error)}`);
      return this.io.sockets.adapter.rooms.get(room)?.size ?? 0;
    }
  }

  /**
   * Whether the page that opens a socket is one of ours or listed. A program sends no `Origin`; a browser always does.
   */
  private isKnown({ headers }: Headed): boolean {
    return headers.origin !== undefined && this.origins.isKnown(headers.origin, headers.host);
  }

  private async useRedis(io: Server, address: RedisAddress): Promise<void> {
    const { url, socket } = redisSettings(address);
    const publisher = createClient({ url, socket: { ...socket, connectTimeout: 5_000 } });
    const subscriber = publisher.duplicate();
    for (const client of [publisher, subscriber])
      client.on('error', (error: Error) => this.log.warn(`Redis: ${error.message}`));
    let lost = false;
    subscriber.on('reconnecting', () => {
      lost = true;
    });
    // What was published meanwhile is gone: clients must ask again.
    subscriber.on('ready', () => {
      if (lost) {
        lost = false;
        io.local.disconnectSockets(true);
      }
    });
    await Promise.all([publisher.connect(), subscriber.connect()]);
    io.adapter(createAdapter(publisher, subscriber, { key: 'bourse:sockets' }));
    this.closing.push(async () => {
      publisher.destroy();
      subscriber.destroy();
      await Promise.resolve();
    });
  }
}

/** Sockets whose token is this user's, logged in or not: what the limit counts. */
const ownRoom = (userId: number): string => `own:${userId}`;
/** Sockets that get this user's private events. */
const userRoom = (userId: number): string => `user:${userId}`;
const answer = (ack: GivenAck, body: object): void => {
  ack?.(body);
};
