import { readdir } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { Turns } from '@bourse/platform/turns';
import { OrderGateway } from './order-gateway.js';
import { ExchangeLine, LineRefused, OutcomeUnknown, Pairs } from './exchange-line.js';
import { BrokenStream, encode, Framer, integerOf, millisOf, timeOf, type Message } from './protocol/message.js';
import { FixSession, type Connection } from './protocol/session.js';
import { TAG, TYPE } from './protocol/tags.js';
import type { Settings } from './settings.js';
import { SessionStore } from './store.js';

/** How long a connection may take to log on. Ms. */
const LOGON_MS = 10_000;
const HEARTBEAT_S = { least: 5, most: 300 };
/** How long reports are gathered after a connection was lost; later ones are read at the next Logon. Ms. */
const LINGER_MS = 10 * 60_000;
const CONNECTIONS_MAX = 500;
/**
 * Connections that may wait for their Logon: so many that programs behind one proxy come back together, so few that
 * those who never log on leave room for the others. Further ones are closed at once.
 */
const GUESTS = { most: 200, perAddress: 50 };
/** Each SenderCompID of an API key has a file of its own, which outlives its connections. */
const NAMES_MAX = 100;
/** Requests of a connection that may be under way: as many as the exchange takes from a socket. */
const UNDER_WAY_MAX = 32;
/** A program that does not read what it is sent is cut off; it gets it after its next Logon. Bytes. */
const BACKLOG_MAX = 4 * 1024 ** 2;
const TICK_MS = 250;
/** How long the other side may take to close a connection that ends. Ms. */
const CLOSE_MS = 2_000;
/** How long the signature of a Logon could be used again: it is valid for 5 s around its time. Ms. */
const SIGNATURE_MS = 15_000;

interface Open {
  /** API key and SenderCompID. */
  readonly name: string;
  readonly session: FixSession;
  readonly desk: OrderGateway;
  readonly store: SessionStore;
  linger: NodeJS.Timeout | undefined;
  /** Work that may still change the session. */
  underWay: number;
  /** Nobody is connected or expected: it is closed when nothing is under way. */
  isLeft: boolean;
}
/** Writes a line for operators; secrets and signatures are never among its words. */
export type Log = (level: 'info' | 'warn' | 'error', text: string) => void;

interface GatewayOptions {
  readonly now?: () => number;
  readonly openLine?: typeof ExchangeLine.open;
  readonly guests?: typeof GUESTS;
}

/** A Logon that is not accepted; the message is the reason for the other side. */
class LogonRefused extends Error {}

/** The server of FIX sessions. */
export class FixGateway {
  private readonly server: Server;
  private readonly pairs: Pairs;
  /** By name. */
  private readonly sessions = new Map<string, Open>();
  /** Openings, joins and ends of sessions, by name. */
  private readonly turns = new Turns();
  private readonly sockets = new Set<Socket>();
  /** Addresses of the connections that are not logged on. */
  private readonly guests = new Map<Socket, string>();
  /** Signatures that were used, with the time when they are not valid any more. */
  private readonly used = new Map<string, number>();
  private readonly timer: NodeJS.Timeout;
  private isClosing = false;
  private readonly now: () => number;

  constructor(
    private readonly settings: Settings,
    private readonly log: Log,
    private readonly options: GatewayOptions = {},
  ) {
    this.now = options.now ?? Date.now;
    this.pairs = new Pairs(settings.exchangeUrl);
    this.server = createServer({ noDelay: true }, (socket) => this.welcome(socket));
    this.server.maxConnections = CONNECTIONS_MAX;
    this.timer = setInterval(() => void this.tick(), TICK_MS);
  }

  /** @returns the port */
  async listen(): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject).listen(this.settings.port, this.settings.host, resolve);
    });
    return (this.server.address() as AddressInfo).port;
  }

  /** Logs every session out; what they are owed is stored. */
  async close(): Promise<void> {
    this.isClosing = true;
    clearInterval(this.timer);
    const closed = new Promise((resolve) => this.server.close(resolve));
    const names = new Set([...this.turns.claims(), ...this.sessions.keys()]);
    await Promise.all([...names].map((name) => this.turns.run(name, () => this.endSession(name))));
    for (const socket of this.sockets) socket.destroySoon();
    const timer = setTimeout(() => this.sockets.forEach((socket) => socket.destroy()), CLOSE_MS);
    await closed;
    clearTimeout(timer);
  }

  private async tick(): Promise<void> {
    const at = this.now();
    for (const [signature, until] of this.used) if (until < at) this.used.delete(signature);
    for (const { session } of this.sessions.values()) await session.tick().catch(() => undefined);
  }

  private welcome(socket: Socket): void {
    const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
    const { most, perAddress } = this.options.guests ?? GUESTS;
    const neighbours = [...this.guests.values()].filter((one) => one === address);
    if (this.guests.size >= most || neighbours.length >= perAddress) return void socket.destroy();
    this.sockets.add(socket);
    this.guests.set(socket, address);
    const framer = new Framer();
    const late = setTimeout(() => socket.destroy(), LOGON_MS);
    let open: Open | undefined;
    let isLoggingOn = false;
    let isRefused = false;
    /** Messages that were read and not started. */
    const queue: Message[] = [];
    let underWay = 0;
    /** Whether what the other side sends is not read for now. */
    const isHeldBack = (): boolean => isLoggingOn || (open !== undefined && queue.length > 0);
    const connection: Connection = {
      write: (text) => {
        socket.write(text, 'latin1');
        if (socket.writableLength > BACKLOG_MAX) socket.destroy();
      },
      end: () => {
        socket.end();
        setTimeout(() => socket.destroy(), CLOSE_MS).unref();
      },
      hasUnread: isHeldBack,
    };
    const proceed = (): void => {
      for (; open && underWay < UNDER_WAY_MAX && queue.length > 0; underWay += 1) start(open, queue.shift()!);
      if (isHeldBack()) socket.pause();
      else socket.resume();
    };
    const start = (one: Open, message: Message): void => {
      const isLive = one.session.isOn(connection);
      this.during(one, () => (isLive ? one.session.receive(message) : Promise.resolve()))
        .catch((error: unknown) => this.onProblem(one, connection, error))
        .finally(() => {
          underWay -= 1;
          proceed();
        });
    };
    const begin = (logon: Message): void => {
      isLoggingOn = true;
      this.logOn(logon, connection, address, () => this.guests.delete(socket))
        .then((accepted) => {
          open = accepted;
          // It was closed meanwhile.
          if (socket.destroyed) accepted.session.drop(connection);
        })
        .catch((error: unknown) => {
          isRefused = true;
          this.refuse(logon, connection, address, error);
        })
        .finally(() => {
          clearTimeout(late);
          isLoggingOn = false;
          proceed();
        });
    };
    socket.on('data', (bytes: Buffer) => {
      if (isRefused) return;
      try {
        for (const message of framer.push(bytes.toString('latin1'))) queue.push(message);
      } catch (error) {
        if (!(error instanceof BrokenStream)) throw error;
        this.log('warn', `a connection of ${address} was ended: ${error.message}`);
        socket.destroy();
      }
      const [first] = queue;
      if (!open && !isLoggingOn && first) {
        if (first.type !== TYPE.Logon) return void socket.destroy();
        begin(queue.shift()!);
      }
      proceed();
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(late);
      this.sockets.delete(socket);
      this.guests.delete(socket);
      open?.session.drop(connection);
    });
  }

  /**
   * @param onKnown is called when the exchange has taken the key
   * @throws LogonRefused, LineRefused
   */
  private async logOn(logon: Message, connection: Connection, address: string, onKnown: () => void): Promise<Open> {
    const { compId } = this.settings;
    const sender = logon.get(TAG.SenderCompID) ?? '';
    const key = logon.get(TAG.Username) ?? sender;
    const signature = logon.get(TAG.Password) ?? logon.get(TAG.RawData) ?? '';
    const sentAt = millisOf(logon.get(TAG.SendingTime));
    const heartbeat = integerOf(logon.get(TAG.HeartBtInt));
    if (this.isClosing) throw new LogonRefused('the gateway ends: log on again');
    if (!/^[A-Za-z0-9_.-]{1,40}$/.test(sender))
      throw new LogonRefused('SenderCompID must be 1 to 40 letters, digits, dots, dashes and underscores');
    if (logon.get(TAG.TargetCompID) !== compId) throw new LogonRefused(`TargetCompID must be ${compId}`);
    if (logon.get(TAG.EncryptMethod) !== '0') throw new LogonRefused('EncryptMethod must be 0');
    if (heartbeat === undefined || heartbeat < HEARTBEAT_S.least || heartbeat > HEARTBEAT_S.most)
      throw new LogonRefused(`HeartBtInt must be ${HEARTBEAT_S.least} to ${HEARTBEAT_S.most}`);
    if (Number.isNaN(logon.seq) || sentAt === undefined) throw new LogonRefused('MsgSeqNum and SendingTime are needed');
    const isReset = logon.isSet(TAG.ResetSeqNumFlag);
    if (isReset && logon.seq !== 1) throw new LogonRefused('MsgSeqNum must be 1 with ResetSeqNumFlag');
    if (!/^[\w-]{1,64}$/.test(key)) throw new LogonRefused('apikey.signature reason=key');
    if (!/^[0-9a-f]{64}$/.test(signature)) throw new LogonRefused('apikey.signature reason=signature');
    if (this.used.has(signature)) throw new LogonRefused('apikey.signature reason=replay');
    this.used.set(signature, this.now() + SIGNATURE_MS);
    const line = await (this.options.openLine ?? ExchangeLine.open)(this.settings.exchangeUrl, {
      key,
      timestamp: String(sentAt),
      signature,
      address,
    });
    onKnown();
    try {
      return await this.join({ key, sender, line, logon, connection, heartbeat, isReset });
    } catch (error) {
      line.close();
      throw error;
    }
  }

  /** Puts an authenticated connection into its session. */
  private async join(one: {
    key: string;
    sender: string;
    line: ExchangeLine;
    logon: Message;
    connection: Connection;
    heartbeat: number;
    isReset: boolean;
  }): Promise<Open> {
    const { key, sender, line, logon, connection, heartbeat, isReset } = one;
    const name = `${key}.${sender}`;
    const open = await this.turns.run(name, async () => {
      if (this.isClosing) throw new LogonRefused('the gateway ends: log on again');
      const found = this.sessions.get(name) ?? (await this.openSession(name, key, sender));
      // The other side has the key: a connection that it has given up, or lost, makes way.
      await found.session.leave('another connection has logged on');
      clearTimeout(found.linger);
      found.isLeft = false;
      found.desk.detach();
      if (isReset) await found.session.reset();
      if (!(await found.session.accept(connection, logon, heartbeat))) throw new LogonRefused('');
      return found;
    });
    this.log('info', `${sender} has logged on with the API key ${key}`);
    line.onLost((reason) => {
      this.log('warn', `${sender}: ${reason}`);
      open.desk.detach();
      void open.session.leave(`${reason}: log on again`).catch(() => undefined);
    });
    const first = await this.pairs.first().catch(() => undefined);
    if (first !== undefined) line.quieten(first);
    await this.during(open, () => open.desk.attach(line, { isCopy: logon.isSet(TAG.DropCopyFlag) }));
    return open;
  }

  /** Work of a session, which is not closed before its end. */
  private async during<T>(open: Open, work: () => Promise<T>): Promise<T> {
    open.underWay += 1;
    try {
      return await work();
    } finally {
      open.underWay -= 1;
      this.release(open);
    }
  }

  /** Closes a session that was left, once nothing of it is under way; the next Logon opens its file again. */
  private release(open: Open): void {
    if (!open.isLeft) return;
    this.turns
      .run(open.name, async () => {
        const isIdle = open.isLeft && open.underWay === 0 && this.sessions.get(open.name) === open;
        if (isIdle) await this.endSession(open.name);
      })
      .catch((error: unknown) => this.log('error', `the session ${open.name} could not be closed: ${String(error)}`));
  }

  private async endSession(name: string): Promise<void> {
    const open = this.sessions.get(name);
    if (!open) return;
    await open.session.leave('the gateway ends: log on again').catch(() => undefined);
    clearTimeout(open.linger);
    open.desk.detach();
    this.sessions.delete(name);
    await open.store.close();
  }

  private async openSession(name: string, key: string, sender: string): Promise<Open> {
    const { folder } = this.settings;
    const file = `${name}.log`;
    const files = await readdir(folder).catch(() => []);
    const ofKey = files.filter((one) => one.startsWith(`${key}.`) && one.endsWith('.log'));
    if (ofKey.length >= NAMES_MAX && !ofKey.includes(file))
      throw new LogonRefused(`an API key has at most ${NAMES_MAX} SenderCompIDs: use one of those before`);
    const { now } = this;
    const store = await SessionStore.open(join(folder, file), now());
    const leave = (): void => {
      desk.detach();
      open.isLeft = true;
      this.release(open);
    };
    const session = new FixSession({
      parties: { own: this.settings.compId, other: sender },
      store,
      now,
      onMessage: (message, isRepeat) => desk.handle(message, isRepeat),
      onEnd: (isFarewell) => {
        this.log('info', `${sender} ${isFarewell ? 'has logged out' : 'has lost its connection'}`);
        clearTimeout(open.linger);
        if (isFarewell) leave();
        else open.linger = setTimeout(leave, LINGER_MS).unref();
      },
      onFailure: (error) => {
        // The file says what is true; it is read again at the next Logon.
        if (this.sessions.get(name) !== open) return;
        this.sessions.delete(name);
        this.log('error', `the session ${sender} could not be stored and has ended: ${String(error)}`);
        desk.detach();
        session.cut();
        store.close().catch(() => undefined);
      },
    });
    const log = (text: string): void => this.log('error', text);
    const desk = new OrderGateway({ name, store, pairs: this.pairs, now, log }, session);
    const open: Open = { name, session, desk, store, linger: undefined, underWay: 0, isLeft: false };
    this.sessions.set(name, open);
    return open;
  }

  private onProblem({ session, desk }: Open, connection: Connection, error: unknown): void {
    const isUnknown = error instanceof OutcomeUnknown;
    if (!isUnknown) this.log('error', `a message could not be carried out: ${(error as Error).stack}`);
    // A later connection of the session continues, and settles the message when it is sent again.
    if (!session.isOn(connection)) return;
    desk.detach();
    const reason = isUnknown ? 'the outcome of a request is not known' : 'common.unavailable';
    void session.leave(`${reason}: log on again`).catch(() => undefined);
  }

  /** A Logout to a side that has no session, or none yet: its number says nothing. */
  private refuse(logon: Message, connection: Connection, address: string, error: unknown): void {
    const isKnown = error instanceof LogonRefused || error instanceof LineRefused;
    const text = isKnown ? error.message : 'common.unavailable';
    if (!isKnown) this.log('error', `a Logon could not be carried out: ${(error as Error).stack}`);
    else if (text !== '') this.log('warn', `a Logon of ${address} was refused: ${text}`);
    if (text !== '')
      connection.write(
        encode([
          [TAG.MsgType, TYPE.Logout],
          [TAG.SenderCompID, this.settings.compId],
          [TAG.TargetCompID, logon.get(TAG.SenderCompID) ?? ''],
          [TAG.MsgSeqNum, '1'],
          [TAG.SendingTime, timeOf(this.now())],
          [TAG.Text, text],
        ]),
      );
    connection.end();
  }
}
