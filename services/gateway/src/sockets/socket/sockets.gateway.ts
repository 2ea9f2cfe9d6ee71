import { createServer, type Server as HttpServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
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
import type { Server } from 'socket.io';
import { isOrderMessage, payloadForProgram, type OrderMessage } from '@bourse/contract';
import {
  Clock,
  clientAddress,
  Config,
  Metrics,
  OwnOrigins,
  plainAddress,
  Refused,
  trustOf,
  type Caller,
  type Trust,
} from '@bourse/platform';
import { ApiKeys } from '../../sign-in/application/api-keys.js';
import { PrivateEvents } from '../application/private-events.js';
import { DEFAULT_DEPTH_ROOM, DEFAULT_ROOM, roomOf } from '../application/public-channels.js';
import { PublicStreams } from '../application/public-streams.js';
import { expiryOf, Sessions } from '../../sign-in/application/sessions.js';
import { ForwardedWatch } from '../../edge/http/forwarded-watch.js';
import { TokenStrategy } from '../../sign-in/http/token.strategy.js';
import { acknowledge, programRoom, tokenRoom, userRoom, type ClientSocket } from './client-socket.js';
import { FrameAllowance } from './frames.js';
import { Handshakes } from './handshakes.js';
import { OpenSockets } from './open-sockets.js';
import { joinRoomsThroughRedis } from './redis-rooms.js';
import { SlowSockets } from './slow-sockets.js';
import { ackOf, type Ack as GivenAck } from './socket-adapter.js';
import { SocketErrorsFilter } from './socket-errors.filter.js';
import { SocketOrders } from './socket-orders.js';
import { SocketSessions } from './socket-sessions.js';
import { Subscribing } from './subscribing.js';
import { readSubscription } from './subscription-frame.js';

const SOCKETS_PER_USER = 5;
const SOCKETS_PER_ADDRESS = 20;
const FRAME_BYTES_MAX = 16 * 1024;
const HEARTBEAT_MS = 10_000;
const BACKLOG_CHECK_MS = 250;
const EXPIRY_CHECK_MS = 1_000;
/** Events about sessions may be lost: the sockets are checked with auth so often. */
const SESSION_CHECK_MS = 60_000;
/** Time for `server_closing` to be sent before the connections end. */
const FAREWELL_MS = 200;
/** Period over which disconnected clients should spread their return. */
const RECONNECT_MS = 3_000;

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
  /** Sends messages to many sockets: it encodes a message once for a whole room. */
  @WebSocketServer() private readonly io!: Server;
  /** The server of the socket port, if it differs from that of the calls. */
  private socketServer: HttpServer | undefined;
  private readonly open = new OpenSockets();
  private readonly trust: Trust;
  private readonly handshakes: Handshakes;
  private readonly slowSockets: SlowSockets;
  private readonly subscribing: Subscribing;
  private readonly socketSessions: SocketSessions;
  private readonly orders: SocketOrders;
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly closing: (() => Promise<void>)[] = [];

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    private readonly sessions: Sessions,
    private readonly tokens: TokenStrategy,
    private readonly apiKeys: ApiKeys,
    private readonly publicStreams: PublicStreams,
    private readonly privateEvents: PrivateEvents,
    origins: OwnOrigins,
    forwarded: ForwardedWatch,
  ) {
    this.trust = trustOf(config.trustedProxies);
    const perAddressMax = SOCKETS_PER_ADDRESS * config.rateScale;
    this.handshakes = new Handshakes(origins, forwarded, this.trust, this.open, perAddressMax);
    this.slowSockets = new SlowSockets(publicStreams, this.log);
    this.subscribing = new Subscribing(publicStreams, this.isListed);
    this.orders = new SocketOrders(host);
    this.socketSessions = new SocketSessions(() => this.sockets(), sessions, tokens, apiKeys, clock, this.log);
  }

  async onApplicationBootstrap(): Promise<void> {
    const { io } = this;
    if (this.config.redisUrl)
      this.closing.push(
        await joinRoomsThroughRedis(io, { url: this.config.redisUrl, ca: this.config.redisCa }, this.log),
      );
    io.use((socket, next) => {
      this.admit(socket as ClientSocket).then(
        () => next(),
        (error: Error) => next(withData(error)),
      );
    });
    io.attach(this.host.httpAdapter.getHttpServer() as HttpServer, this.handshakes.options());
    this.open.watch(io.engine);
    if (this.config.socketPort) {
      this.socketServer = createServer((_request, response) => response.writeHead(404).end());
      io.attach(this.socketServer, this.handshakes.options());
      this.open.watch(io.engine);
      await new Promise<void>((resolve, reject) =>
        this.socketServer?.once('error', reject).listen(this.config.socketPort, this.config.host, resolve),
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
      // The event is not encoded if the room has no socket.
      if (io.sockets.adapter.rooms.has(room)) io.local.to(room).emit(event, payload);
      const programs = programRoom(userId);
      if (io.sockets.adapter.rooms.has(programs)) io.local.to(programs).emit(event, payloadForProgram(event, payload));
    });
    this.sessions.onChange((view) => void this.socketSessions.onSession(view));
    this.sessions.onRecheck(() => void this.socketSessions.recheck());
    this.metrics.gauge('bourse_sockets', 'Sockets connected to this process', [], (gauge) =>
      gauge.set(io.sockets.sockets.size),
    );
    this.timers.push(
      setInterval(() => this.heartbeat(), HEARTBEAT_MS).unref(),
      setInterval(() => this.slowSockets.check(this.sockets()), BACKLOG_CHECK_MS).unref(),
      setInterval(() => this.socketSessions.endExpired(), EXPIRY_CHECK_MS).unref(),
      setInterval(() => void this.socketSessions.recheck(), SESSION_CHECK_MS).unref(),
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    if (this.io.sockets.sockets.size > 0) {
      this.io.local.emit('server_closing', { reconnect_ms: RECONNECT_MS });
      await delay(FAREWELL_MS);
    }
    // Closes the connections only: a client that gets `io server disconnect` does not reconnect by itself.
    this.io.engine.close();
    this.socketServer?.close();
    await Promise.all(this.closing.map((close) => close()));
  }

  /**
   * Sets the state of a new socket and applies the limit of its user; without a valid token it is a guest. A handshake
   * signed by an API key is that key's or is refused: a program must not wait as a guest.
   */
  private async admit(socket: ClientSocket): Promise<void> {
    const { token, key } = socket.handshake.auth as { token?: unknown; key?: unknown };
    const address = plainAddress(clientAddress(socket.request, this.trust));
    const apiKey = typeof key === 'string' ? key : null;
    const given =
      apiKey === null && typeof token === 'string' && token !== '' ? token.replace(/^Bearer\s+/i, '') : null;
    const program = apiKey === null ? null : await this.program(socket, address);
    const bearer = program ? program.caller : given && (await this.tokens.callerOf(given));
    if (bearer) await this.privateEvents.loaded;
    // An operator has no private room: the id would name a user's. A session of the points login may read points only.
    const caller = !bearer || bearer.kind === 'operator' || bearer.kind === 'points' ? null : bearer;
    socket.data = {
      caller,
      token: caller ? given : null,
      apiKey: caller ? apiKey : null,
      isFirstUse: program?.isFirstUse ?? true,
      ordersUnderWay: 0,
      expiresAt: caller && given ? expiryOf(given) : Infinity,
      loggedIn: false,
      address,
      slow: false,
      subscriptions: new Map(),
      frames: new FrameAllowance(performance.now()),
    };
    if (!caller) return;
    // Joined before it is counted, so that of handshakes under way at once each counts those before it. A refused
    // socket leaves its rooms.
    await socket.join(tokenRoom(caller.userId));
    if ((await this.countBefore(socket, caller.userId)) >= SOCKETS_PER_USER * this.config.rateScale)
      throw new Error('common.tooMany');
  }

  /**
   * The API key that has signed the handshake as a GET of `/socket.io` (api §1.2). Throws an error whose message is a
   * key.
   */
  private async program(
    { handshake }: ClientSocket,
    address: string,
  ): Promise<{ readonly caller: Caller; readonly isFirstUse: boolean }> {
    const { key, timestamp, signature } = handshake.auth as Record<string, unknown>;
    const headers = {
      'x-api-key': String(key),
      'x-api-timestamp': String(timestamp),
      'x-api-signature': String(signature),
    };
    const signer = await this.apiKeys.signer({ headers, method: 'GET', url: '/socket.io', bodyDigest: undefined });
    if (!this.apiKeys.isReader(signer, address)) throw new Refused('common.forbidden');
    return { caller: signer.caller, isFirstUse: await this.apiKeys.isFirstUse({ headers }) };
  }

  /** A new socket gets the default broadcast, and the state of everything it carries. */
  handleConnection(socket: ClientSocket): void {
    void this.socketSessions.verifyNew(socket);
    void socket.join([DEFAULT_ROOM, DEFAULT_DEPTH_ROOM]);
    socket.use(([event, ...values], next) => {
      const { frames } = socket.data;
      // Orders are limited by the rates of their calls.
      if (isOrderMessage(event)) return next();
      if (frames.admit(performance.now())) return next();
      if (frames.isFlooding) return void socket.disconnect(true);
      const params = { retry_ms: frames.retryMs };
      acknowledge(ackOf(values), { type: 'error', key: 'common.tooMany', params });
    });
    for (const { event, payload } of this.publicStreams.welcome()) socket.emit(event, payload);
  }

  /**
   * From here on the socket gets the private events of its token's user; a program names its key, because it does not
   * know the user's id.
   */
  @SubscribeMessage('login')
  login(@ConnectedSocket() socket: ClientSocket, @MessageBody() payload: unknown, @Ack() ack: GivenAck): void {
    const given =
      typeof payload === 'object' && payload !== null ? (payload as { user_id?: unknown }).user_id : payload;
    const { caller, apiKey } = socket.data;
    const isNamed =
      (typeof given === 'number' || typeof given === 'string') &&
      (String(given) === String(caller?.userId) || (apiKey !== null && given === apiKey));
    if (!caller || !isNamed) return acknowledge(ack, { type: '999' });
    socket.data.loggedIn = true;
    void socket.join((apiKey === null ? userRoom : programRoom)(caller.userId));
    acknowledge(ack, { type: 'ok', user_seq: this.privateEvents.seqOf(caller.userId) });
  }

  /** Subscribes to public streams: answers with their state, or with the messages after `seq`. */
  @SubscribeMessage('subscribe')
  subscribe(@ConnectedSocket() socket: ClientSocket, @MessageBody() payload: unknown, @Ack() ack: GivenAck): void {
    this.subscribing.answer(socket, payload, ack);
  }

  /** Ends one subscription; without a channel it ends all of them, and the default broadcast resumes. */
  @SubscribeMessage('unsubscribe')
  unsubscribe(@ConnectedSocket() socket: ClientSocket, @MessageBody() payload: unknown, @Ack() ack: GivenAck): void {
    const { subscriptions } = socket.data;
    const { channel } = (payload ?? {}) as { channel?: unknown };
    if (channel === undefined || channel === '') {
      for (const room of subscriptions.keys()) void socket.leave(room);
      subscriptions.clear();
      void socket.join(DEFAULT_ROOM);
      if (!socket.data.slow) void socket.join(DEFAULT_DEPTH_ROOM);
      return acknowledge(ack, { type: 'ok' });
    }
    const subscription = readSubscription(payload, this.isListed);
    if (typeof subscription === 'string') return acknowledge(ack, { type: 'error', key: subscription });
    subscriptions.delete(roomOf(subscription));
    void socket.leave(roomOf(subscription));
    acknowledge(ack, { type: 'ok' });
  }

  /** Orders and reads beside them (api §4): each message is the call of its name. */
  @SubscribeMessage<OrderMessage>('order.place')
  place(@ConnectedSocket() socket: ClientSocket, @MessageBody() payload: unknown, @Ack() ack: GivenAck): Promise<void> {
    return this.orders.answer(socket, 'order.place', payload, ack);
  }
  @SubscribeMessage<OrderMessage>('order.amend')
  amend(@ConnectedSocket() socket: ClientSocket, @MessageBody() payload: unknown, @Ack() ack: GivenAck): Promise<void> {
    return this.orders.answer(socket, 'order.amend', payload, ack);
  }
  @SubscribeMessage<OrderMessage>('order.cancel')
  cancel(
    @ConnectedSocket() socket: ClientSocket,
    @MessageBody() payload: unknown,
    @Ack() ack: GivenAck,
  ): Promise<void> {
    return this.orders.answer(socket, 'order.cancel', payload, ack);
  }
  @SubscribeMessage<OrderMessage>('order.cancelAll')
  cancelAll(
    @ConnectedSocket() socket: ClientSocket,
    @MessageBody() payload: unknown,
    @Ack() ack: GivenAck,
  ): Promise<void> {
    return this.orders.answer(socket, 'order.cancelAll', payload, ack);
  }
  @SubscribeMessage<OrderMessage>('order.get')
  read(@ConnectedSocket() socket: ClientSocket, @MessageBody() payload: unknown, @Ack() ack: GivenAck): Promise<void> {
    return this.orders.answer(socket, 'order.get', payload, ack);
  }
  @SubscribeMessage<OrderMessage>('stream.since')
  since(@ConnectedSocket() socket: ClientSocket, @MessageBody() payload: unknown, @Ack() ack: GivenAck): Promise<void> {
    return this.orders.answer(socket, 'stream.since', payload, ack);
  }

  private readonly isListed = (symbol: string): boolean => this.publicStreams.pair(symbol) !== undefined;

  private heartbeat(): void {
    const ts = this.clock.now();
    for (const socket of this.sockets()) {
      const { caller, loggedIn } = socket.data;
      socket.emit('heartbeat', { ts, user_seq: caller && loggedIn ? this.privateEvents.seqOf(caller.userId) : 0 });
    }
  }

  private sockets(): Iterable<ClientSocket> {
    return this.io.sockets.sockets.values() as Iterable<ClientSocket>;
  }

  /**
   * Sockets of a user that were there before this one: those of this process from their handshakes on, those of the
   * other gateways when connected. The others do not count while they cannot be reached.
   */
  private async countBefore({ id }: ClientSocket, userId: number): Promise<number> {
    const room = tokenRoom(userId);
    const here = (): string[] => [...(this.io.sockets.adapter.rooms.get(room) ?? [])];
    const early = here();
    const before = early.indexOf(id);
    try {
      const all = await this.io.in(room).fetchSockets();
      // One that has closed meanwhile is in the answer still.
      const own = new Set([...early, ...here()]);
      return before + all.filter((socket) => !own.has(socket.id)).length;
    } catch (error) {
      this.log.warn(`sockets of a user were counted in this process only: ${String(error)}`);
      return before;
    }
  }
}

/** Details of a refused handshake beside its key: a program gets the reason why its signature was refused. */
const withData = (error: Error): Error =>
  error instanceof Refused ? Object.assign(error, { data: { key: error.key, params: error.params } }) : error;
