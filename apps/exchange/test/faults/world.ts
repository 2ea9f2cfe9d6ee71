import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Part, type PartOptions } from './part.js';
import { Proxy } from './proxy.js';
import { DatabaseServer, Disk, KafkaServer, RedisServer, clearLeftovers, writeWallClock } from './servers.js';
import { clone, processes, root, serviceTools } from './tools.js';

export type Mode = 'embedded' | 'distributed';
/** Name of the one process of the embedded run. */
export const EXCHANGE = 'exchange';
const RESTART_MS = 100;
/** Twelve processes at once, on a machine that may be busy with other things. */
const START_MS_MAX = 180_000;
/** Only the suite's own clients trade, without rate limits. */
const QUIET = { MAKER: 'off', PRICE_FEED: 'simulated', RATE_SCALE: '10000', LOG_LEVEL: 'info' };
const BALLOON_MB = 1_500;
/** Of the distributed run: enough that instances of the ledger and of the books have something to share. */
const PARTITIONS = { LEDGER_PARTITIONS: '4', SPOT_PARTITIONS: '4' };

/**
 * The login that owns the database, for processes and tools: as in a real install it is no superuser, so that what
 * only a superuser may do fails here too. It makes the roles of the services, and so needs CREATEROLE.
 */
const OWNER = { name: 'exchange_owner', password: 'of-the-faults' };

/** One process of a service that may have several, with the ports where people and other services reach it. */
export interface Instance {
  readonly part: Part;
  readonly port: number;
  readonly internal: number;
}

/** The proxies between one service and its servers. */
interface Lines {
  readonly database: Proxy;
  readonly redis?: Proxy;
}

/**
 * An exchange of real processes with a proxy on each of its lines: clients → edge, edge → service, service →
 * PostgreSQL, Redis and Kafka. Everything it starts and mounts is ended by `end`, or by the next run if this one was
 * killed.
 */
export class World {
  readonly parts = new Map<string, Part>();
  readonly lines = new Map<string, Lines>();
  /** Edge → service, by service (distributed run). */
  readonly routes = new Map<string, Proxy>();
  readonly disks = new Map<string, Disk>();
  private readonly closing: (() => Promise<void> | void)[] = [];
  private pool: pg.Pool | undefined;
  database!: DatabaseServer;
  redis!: RedisServer;
  kafka!: KafkaServer;
  /** All services → Kafka: the broker names this address as its own. */
  kafkaLine!: Proxy;
  /** Clients → edge. */
  front!: Proxy;

  private constructor(
    readonly mode: Mode,
    readonly dir: string,
    private readonly logDir: string,
  ) {}

  static async start(mode: Mode): Promise<World> {
    const place = join(clone.cacheDir, 'faults');
    mkdirSync(place, { recursive: true });
    await processes.noteChildren(place);
    await clearLeftovers(place);
    const dir = join(place, `${mode}-${process.pid}`);
    const logDir = join(place, 'logs', mode);
    rmSync(dir, { recursive: true, force: true });
    rmSync(logDir, { recursive: true, force: true });
    for (const folder of [dir, logDir]) mkdirSync(folder, { recursive: true });
    const world = new World(mode, dir, logDir);
    world.closing.push(() => rmSync(dir, { recursive: true, force: true }));
    try {
      await world.startServers();
      await (mode === 'embedded' ? world.startEmbedded() : world.startDistributed());
      await world.ready(START_MS_MAX);
    } catch (error) {
      await world.end();
      throw error;
    }
    return world;
  }

  get url(): string {
    return `http://127.0.0.1:${this.front.port}`;
  }
  /** Processes that a fault may strike. */
  get services(): readonly string[] {
    return [...this.parts.keys()];
  }
  /** The process that owns a part of the exchange, in either run. */
  owner(service: string): Part {
    return this.part(this.mode === 'embedded' ? EXCHANGE : service);
  }
  ownerLines(service: string): Lines {
    return this.line(this.mode === 'embedded' ? EXCHANGE : service);
  }

  part(name: string): Part {
    const part = this.parts.get(name);
    if (!part) throw new Error(`there is no ${name} in the ${this.mode} run`);
    return part;
  }
  line(name: string): Lines {
    const line = this.lines.get(name);
    if (!line) throw new Error(`there is no line of ${name} in the ${this.mode} run`);
    return line;
  }
  disk(name: string): Disk {
    const disk = this.disks.get(name);
    if (!disk) throw new Error(`there is no disk of ${name} in the ${this.mode} run`);
    return disk;
  }

  /** Waits until every process says that it is ready. */
  async ready(withinMs: number): Promise<number> {
    const from = Date.now();
    await Promise.all([...this.parts.values()].map((part) => part.ready(withinMs)));
    return Date.now() - from;
  }

  /** Reads (and, for planted damage, writes) the database as its superuser, past every proxy. */
  async sql<R extends object = Record<string, string>>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    this.pool ??= this.newPool();
    return (await this.pool.query(text, [...values])).rows as R[];
  }
  private newPool(): pg.Pool {
    const pool = new pg.Pool({ connectionString: this.database.url, max: 2, idleTimeoutMillis: 1_000 });
    pool.on('error', () => undefined); // the server is killed under it on purpose; the next query says what is wrong
    return pool;
  }
  /** A connection of its own, past every proxy. */
  async connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.database.url });
    client.on('error', () => undefined); // as above
    await client.connect();
    return client;
  }

  clockFile(name: string): string {
    return join(this.dir, `clock-${name}`);
  }
  moveClock(name: string, offsetMs: number): void {
    writeWallClock(this.clockFile(name), offsetMs);
  }

  /** Every proxy passes again, every process and server runs, every disk has room, every clock is right. */
  async heal(): Promise<void> {
    for (const disk of this.disks.values()) disk.free();
    for (const proxy of this.proxies()) proxy.heal();
    for (const name of this.parts.keys()) this.moveClock(name, 0);
    for (const part of this.parts.values()) part.signal('SIGCONT');
    await this.database.heal();
    if (this.mode === 'distributed') {
      for (const server of [this.redis, this.kafka]) if (!server.alive) await server.start();
    }
    for (const part of this.parts.values()) if (!part.alive) part.start();
  }
  private proxies(): Proxy[] {
    return [
      ...[...this.lines.values()].flatMap(({ database, redis }) => (redis ? [database, redis] : [database])),
      ...this.routes.values(),
      this.front,
      ...(this.mode === 'distributed' ? [this.kafkaLine] : []),
    ];
  }

  /** Proxies to a service: its route, and for the edge the clients' route too. */
  waysTo(service: string): readonly Proxy[] {
    const route = this.routes.get(service);
    return [...(route ? [route] : []), ...(service === serviceTools.EDGE ? [this.front] : [])];
  }

  /** The one instance that a service begins with. */
  first(service: string): Instance {
    const internal = this.routes.get(service)?.target ?? 0;
    return { part: this.part(service), port: service === serviceTools.EDGE ? this.front.target : internal, internal };
  }
  /** The port of an instance for one of the proxies to its service. */
  portOn(way: Proxy, { port, internal }: Instance): number {
    return way === this.front ? port : internal;
  }
  /** New connections take turns with one instance more, or with one less. */
  join(service: string, one: Instance): void {
    for (const way of this.waysTo(service)) way.more.add(this.portOn(way, one));
  }
  leave(service: string, one: Instance): void {
    for (const way of this.waysTo(service)) way.more.delete(this.portOn(way, one));
  }

  /** A second instance of a service beside the first, at an address of its own. */
  second(service: string): Promise<Instance> {
    return this.another(service, 'standby');
  }

  /**
   * Starts one more instance of a service, at an address of its own; `called` distinguishes its log, `program` is that
   * of another version.
   */
  async another(
    service: string,
    called: string,
    { program = null, settings = {} }: Partial<Pick<Part, 'program' | 'settings'>> = {},
  ): Promise<Instance> {
    const [port, asked] = (await processes.freePorts(2)) as [number, number];
    const first = this.part(service).options;
    const own = service === serviceTools.EDGE ? asked : port;
    const part = new Part({
      ...first,
      name: `${service}-${called}`,
      env: { ...first.env, PORT: String(port), BOURSE_SERVICE_PORT: String(own) },
      readyUrl: `http://127.0.0.1:${port}/readyz`,
      log: join(this.logDir, `${service}-${called}.log`),
    });
    Object.assign(part, { program, settings });
    part.start();
    return { part, port, internal: own };
  }

  async end(): Promise<void> {
    await this.pool?.end();
    for (const close of this.closing.reverse()) await close();
  }

  private async startServers(): Promise<void> {
    const disk = this.newDisk('postgres');
    this.database = new DatabaseServer(disk.dir);
    await this.database.start();
    this.closing.push(() => this.database.stop());
    await this.makeOwner();
    if (this.mode === 'embedded') return;
    this.redis = new RedisServer(this.logDir);
    await this.redis.start();
    this.closing.push(() => this.redis.stop());
    const kafkaDisk = this.newDisk('kafka');
    this.kafka = new KafkaServer(kafkaDisk.dir, this.logDir, () => this.kafkaLine.port);
    await this.kafka.choosePorts();
    this.kafkaLine = await this.proxy(this.kafka.port);
    await this.kafka.start();
    this.closing.push(() => this.kafka.stop());
  }

  private newDisk(name: string): Disk {
    const disk = new Disk(join(this.dir, name), BALLOON_MB);
    this.disks.set(name, disk);
    this.closing.push(() => disk.close());
    return disk;
  }

  private async proxy(target: number): Promise<Proxy> {
    const proxy = await Proxy.open(target);
    this.closing.push(() => proxy.close());
    return proxy;
  }

  /** The database as its owner, past every proxy. */
  get ownerUrl(): string {
    const url = new URL(this.database.url);
    [url.username, url.password] = [OWNER.name, OWNER.password];
    return url.href;
  }
  private async makeOwner(): Promise<void> {
    const name = new URL(this.database.url).pathname.slice(1);
    await this.sql(`create role ${OWNER.name} login createrole password '${OWNER.password}'`);
    await this.sql(`alter database ${name} owner to ${OWNER.name}`);
  }

  private throughProxy(database: Proxy): string {
    const url = new URL(this.ownerUrl);
    url.port = String(database.port);
    return url.href;
  }

  private async startEmbedded(): Promise<void> {
    const [port] = (await processes.freePorts(1)) as [number];
    this.front = await this.proxy(port);
    const database = await this.proxy(this.database.port);
    this.lines.set(EXCHANGE, { database });
    this.add({
      name: EXCHANGE,
      args: [clone.programFile(EXCHANGE)],
      readyUrl: `http://127.0.0.1:${port}/readyz`,
      env: { BOURSE_DEV: '1', BOURSE_RUN: 'embedded', PORT: String(port), DATABASE_URL: this.throughProxy(database) },
    });
  }

  private async startDistributed(): Promise<void> {
    const { EDGE, SERVICES, serviceEnv } = serviceTools;
    const ports = Object.fromEntries(
      (await processes.freePorts(SERVICES.length)).map((port, index) => [SERVICES[index] as string, port]),
    );
    const [edge] = (await processes.freePorts(1)) as [number];
    this.front = await this.proxy(edge);
    for (const name of SERVICES) this.routes.set(name, await this.proxy(ports[name] as number));
    const bases = JSON.stringify(
      Object.fromEntries(SERVICES.map((name) => [name, `http://127.0.0.1:${this.routes.get(name)?.port}`])),
    );
    for (const name of SERVICES) {
      const line = { database: await this.proxy(this.database.port), redis: await this.proxy(this.redis.port) };
      this.lines.set(name, line);
      const parts = {
        databaseUrl: this.throughProxy(line.database),
        redisUrl: `redis://127.0.0.1:${line.redis.port}`,
        kafkaBrokers: `127.0.0.1:${this.kafkaLine.port}`,
      };
      this.add({
        name,
        args: [clone.programFile(name)],
        readyUrl: `http://127.0.0.1:${name === EDGE ? edge : ports[name]}/readyz`,
        env: {
          ...serviceEnv(name, { parts, ports, port: edge, dataDir: this.dir }),
          BOURSE_SERVICES: bases,
          ...PARTITIONS,
        },
      });
    }
  }

  private add({ name, args, env, readyUrl }: Pick<PartOptions, 'name' | 'args' | 'env' | 'readyUrl'>): void {
    const part = new Part({
      name,
      readyUrl,
      command: clone.node24,
      cwd: root,
      log: join(this.logDir, `${name}.log`),
      restartMs: RESTART_MS,
      args: [
        ...clone.nodeFlags,
        '--import',
        pathToFileURL(join(root, 'apps/exchange/test/faults/wall-clock.mjs')).href,
        ...args,
      ],
      env: clone.cloneEnv({
        NODE_ENV: 'test',
        DATA_DIR: this.dir,
        FAULT_WALL_CLOCK: this.clockFile(name),
        REDIS_URL: undefined,
        KAFKA_BROKERS: undefined,
        ...QUIET,
        ...env,
      }),
    });
    this.parts.set(name, part);
    this.closing.push(async () => {
      await part.stop();
    });
    part.start();
  }
}

/** Waits until the condition holds, at most `withinMs`; returns the time in ms. @throws with the awaited condition. */
export async function until(
  what: string,
  check: () => Promise<boolean> | boolean,
  withinMs: number,
  everyMs = 50,
): Promise<number> {
  const from = Date.now();
  while (!(await check())) {
    if (Date.now() - from > withinMs) throw new Error(`${what}: not after ${withinMs} ms`);
    await sleep(everyMs);
  }
  return Date.now() - from;
}
