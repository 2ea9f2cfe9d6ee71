import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
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
  readonly session: FixSession;
  readonly desk: OrderGateway;
  readonly store: SessionStore;
  linger: NodeJS.Timeout | undefined;
  /** Logons to one session are accepted one after the other. */
  joining: Promise<unknown>;
}
/** Writes a line for operators; secrets and signatures are never among its words. */
export type Log = (level: 'info' | 'warn' | 'error', text: string) => void;

/** A Logon that is not accepted; the message is the reason for the other side. */
class LogonRefused extends Error {}

/** The server of FIX sessions. */
export class FixGateway {
  private readonly server: Server;
  private readonly pairs: Pairs;
  /** By name: API key and SenderCompID. */
  private readonly sessions = new Map<string, Promise<Open>>();
  private readonly sockets = new Set<Socket>();
  /** Signatures that were used, with the time when they are not valid any more. */
  private readonly used = new Map<string, number>();
  private readonly timer: NodeJS.Timeout;
  private isClosing = false;

  constructor(
    private readonly settings: Settings,
    private readonly log: Log,
    private readonly now: () => number = Date.now,
  ) {
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
    for (const opening of this.sessions.values()) {
      const open = await opening.catch(() => undefined);
      if (!open) continue;
      clearTimeout(open.linger);
      await open.session.leave('the gateway ends: log on again').catch(() => undefined);
      open.desk.detach();
      await open.store.close();
    }
    for (const socket of this.sockets) socket.destroySoon();
    const timer = setTimeout(() => this.sockets.forEach((socket) => socket.destroy()), CLOSE_MS);
    await closed;
    clearTimeout(timer);
  }

  private async tick(): Promise<void> {
    const at = this.now();
    for (const [signature, until] of this.used) if (until < at) this.used.delete(signature);
    for (const opening of this.sessions.values()) {
      const open = await opening.catch(() => undefined);
      await open?.session.tick().catch(() => undefined);
    }
  }

  private welcome(socket: Socket): void {
    const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
    this.sockets.add(socket);
    const framer = new Framer();
    const connection: Connection = {
      write: (text) => {
        socket.write(text, 'latin1');
        if (socket.writableLength > BACKLOG_MAX) socket.destroy();
      },
      end: () => {
        socket.end();
        setTimeout(() => socket.destroy(), CLOSE_MS).unref();
      },
    };
    const late = setTimeout(() => socket.destroy(), LOGON_MS);
    let open: Open | undefined;
    let isLoggingOn = false;
    /** Messages that came after the Logon and before its answer. */
    let early: Message[] = [];
    let underWay = 0;
    const pass = (one: Open, message: Message): void => {
      underWay += 1;
      if (underWay >= UNDER_WAY_MAX) socket.pause();
      one.session
        .receive(message)
        .catch((error: unknown) => this.onProblem(one, error))
        .finally(() => {
          underWay -= 1;
          if (underWay < UNDER_WAY_MAX) socket.resume();
        });
    };
    const take = (message: Message): void => {
      if (open) return open.session.isOn(connection) ? pass(open, message) : undefined;
      if (isLoggingOn) return void early.push(message);
      if (message.type !== TYPE.Logon) return void socket.destroy();
      isLoggingOn = true;
      socket.pause();
      this.logOn(message, connection, address)
        .then((accepted) => {
          open = accepted;
          // It was closed meanwhile.
          if (socket.destroyed) accepted.session.drop(connection);
          for (const one of early) take(one);
          early = [];
        })
        .catch((error: unknown) => this.refuse(message, connection, address, error))
        .finally(() => {
          clearTimeout(late);
          socket.resume();
        });
    };
    socket.on('data', (bytes: Buffer) => {
      try {
        for (const message of framer.push(bytes.toString('latin1'))) take(message);
      } catch (error) {
        if (!(error instanceof BrokenStream)) throw error;
        this.log('warn', `a connection of ${address} was ended: ${error.message}`);
        socket.destroy();
      }
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(late);
      this.sockets.delete(socket);
      open?.session.drop(connection);
    });
  }

  /** @throws LogonRefused, LineRefused */
  private async logOn(logon: Message, connection: Connection, address: string): Promise<Open> {
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
    const line = await ExchangeLine.open(this.settings.exchangeUrl, {
      key,
      timestamp: String(sentAt),
      signature,
      address,
    });
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
    const open = await this.sessionOf(key, sender);
    const joined = open.joining.then(async () => {
      // The other side has the key: a connection that it has given up, or lost, makes way.
      await open.session.leave('another connection has logged on');
      clearTimeout(open.linger);
      open.desk.detach();
      if (isReset) await open.session.reset();
      return open.session.accept(connection, logon, heartbeat);
    });
    open.joining = joined.catch(() => undefined);
    if (!(await joined)) throw new LogonRefused('');
    this.log('info', `${sender} has logged on with the API key ${key}`);
    line.onLost((reason) => {
      this.log('warn', `${sender}: ${reason}`);
      open.desk.detach();
      void open.session.leave(`${reason}: log on again`).catch(() => undefined);
    });
    const first = await this.pairs.first().catch(() => undefined);
    if (first !== undefined) line.quieten(first);
    await open.desk.attach(line, { isCopy: logon.isSet(TAG.DropCopyFlag) });
    return open;
  }

  private sessionOf(key: string, sender: string): Promise<Open> {
    const name = `${key}.${sender}`;
    const known = this.sessions.get(name);
    if (known) return known;
    const opening = this.openSession(name, sender);
    this.sessions.set(name, opening);
    opening.catch(() => this.sessions.delete(name));
    return opening;
  }

  private async openSession(name: string, sender: string): Promise<Open> {
    const store = await SessionStore.open(join(this.settings.folder, `${name}.log`), this.now());
    const session = new FixSession({
      parties: { own: this.settings.compId, other: sender },
      store,
      now: this.now,
      onMessage: (message, isRepeat) => desk.handle(message, isRepeat),
      onEnd: (isFarewell) => {
        this.log('info', `${sender} ${isFarewell ? 'has logged out' : 'has lost its connection'}`);
        clearTimeout(open.linger);
        if (isFarewell) desk.detach();
        else open.linger = setTimeout(() => desk.detach(), LINGER_MS).unref();
      },
      onFailure: (error) => {
        // The file says what is true; it is read again at the next Logon.
        if (!this.sessions.delete(name)) return;
        this.log('error', `the session ${sender} could not be stored and has ended: ${String(error)}`);
        desk.detach();
        session.cut();
      },
    });
    const log = (text: string): void => this.log('error', text);
    const desk = new OrderGateway({ name, store, pairs: this.pairs, now: this.now, log }, session);
    const open: Open = { session, desk, store, linger: undefined, joining: Promise.resolve() };
    return open;
  }

  private onProblem({ session, desk }: Open, error: unknown): void {
    const isUnknown = error instanceof OutcomeUnknown;
    if (!isUnknown) this.log('error', `a message could not be carried out: ${(error as Error).stack}`);
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
