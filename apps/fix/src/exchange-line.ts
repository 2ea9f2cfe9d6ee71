import {
  Bourse,
  GATE_KEYS,
  Stream,
  type Messages,
  type OrderAnswer,
  type OrderMessage,
  type Schemas,
} from '@bourse/sdk';

export type QuotationItem = Schemas['QuotationItem'];
/** How an API key signs itself in: the handshake of a socket, signed by its owner. */
export interface Signed {
  readonly key: string;
  readonly timestamp: string;
  readonly signature: string;
  /** Address of the owner, which must be one of those of the key. */
  readonly address: string;
}
export type OrderUpdate = Messages['order_update'];

/** The exchange did not take the signature, or does not answer. */
export class LineRefused extends Error {}

/** How long the exchange may take to sign a key in. Ms. */
const OPEN_MS = 10_000;
/** Pauses between the tries of a request whose outcome is open. Ms. */
const PAUSE_MS = { first: 250, most: 2_000 };
/** The exchange settles every command within 15 s. Ms. */
const COMMAND_TIMEOUT_MS = 30_000;

/** The outcome of a request did not become known: the same request with the same intent settles it. */
export class OutcomeUnknown extends Error {}

/**
 * A connection to the exchange as the program whose API key has signed its handshake. It ends with the first loss of
 * the connection: a signature is good for one.
 */
export class ExchangeLine {
  private lost: ((reason: string) => void) | undefined;
  private readonly stream: Stream;
  private isClosed = false;
  private endRequests: () => void = () => undefined;
  private readonly closed = new Promise<undefined>((resolve) => {
    this.endRequests = () => resolve(undefined);
  });
  /** Why it was refused, while it is opened. */
  private problem: Error | undefined;

  private constructor(url: string, { key, timestamp, signature, address }: Signed) {
    const since = async (userSeq: number) => {
      const { answer } = await this.stream.order('stream.since', { user_seq: userSeq });
      if (answer.type !== 'ok') throw new LineRefused(String(answer.key));
      return answer['message'] as Since;
    };
    this.stream = new Stream({
      url,
      key,
      lang: () => 'en',
      handshake: () => Promise.resolve({ key, timestamp, signature, lang: 'en' }),
      correctClock: () => Promise.resolve(false),
      headers: { 'x-forwarded-for': address },
      since,
      onError: (error) => (this.problem ??= error),
    });
    this.since = since;
  }

  /** Private events after a number. @throws LineRefused */
  readonly since: (userSeq: number) => Promise<Since>;

  /** @throws LineRefused with the key of the refusal */
  static async open(url: string, signed: Signed): Promise<ExchangeLine> {
    const line = new ExchangeLine(url, signed);
    const { stream } = line;
    let timer: ReturnType<typeof setInterval> | undefined;
    const failed = new Promise<never>((_, reject) => {
      const until = performance.now() + OPEN_MS;
      // Also what the stream would try again: a signature is not good for a second try.
      timer = setInterval(() => {
        if (line.problem) reject(line.problem);
        else if (performance.now() > until) reject(new Error('common.unavailable'));
      }, 20);
    });
    try {
      await Promise.race([stream.ready(), failed]);
    } catch (error) {
      stream.close();
      throw new LineRefused(refusalOf(error as Error), { cause: error });
    } finally {
      clearInterval(timer);
    }
    stream.onStatus((status) => {
      if (status !== 'live') line.end('the connection to the exchange was lost');
    });
    return line;
  }

  /** Private events of orders, each once and in order. */
  onOrder(listener: (update: OrderUpdate) => void): void {
    this.stream.on('order_update', listener);
  }

  /** Once, when the connection is lost or the exchange has ended it. */
  onLost(listener: (reason: string) => void): void {
    this.lost = listener;
  }

  /**
   * Sends a request until its outcome is known. After a lost answer a refusal by gates, token or rates does not settle
   * it: an earlier try may have been carried out. A defect (500) does not say what became of a command.
   *
   * @throws OutcomeUnknown when it does not become known
   */
  async ask(
    message: OrderMessage,
    fields: Readonly<Record<string, string | number>>,
    intent?: string,
  ): Promise<OrderAnswer> {
    const until = performance.now() + COMMAND_TIMEOUT_MS;
    let isOpen = false;
    for (let pause = PAUSE_MS.first; ; pause = Math.min(pause * 2, PAUSE_MS.most)) {
      const order = this.stream.order(message, fields, intent === undefined ? {} : { intent });
      // A stream that is closed lets its requests time out.
      const answer = await Promise.race([order.catch(() => undefined), this.closed]);
      const isDefect = intent !== undefined && answer?.status === 500;
      const isFinal = answer && answer.answer.type !== 'pending' && answer.answer.key !== 'common.repeated';
      const isDecided = isFinal && !isDefect;
      if (isDecided && !(isOpen && isUnread(answer))) return answer;
      isOpen ||= intent !== undefined && !isDecided;
      if (this.isClosed || performance.now() + pause > until) throw new OutcomeUnknown(message);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** Stops the public streams that a new socket gets. */
  quieten(symbol: string): void {
    const close = this.stream.ticker(symbol, () => close());
  }

  close(): void {
    this.isClosed = true;
    this.endRequests();
    this.lost = undefined;
    this.stream.close();
  }

  private end(reason: string): void {
    const { lost } = this;
    this.close();
    lost?.(reason);
  }
}

/** Busy keys too: the acknowledgement of a frame that did not become a call has no status of its own. */
const UNREAD = [...GATE_KEYS, 'common.tooMany', 'common.unavailable', 'market.paused'];
const isUnread = ({ answer }: OrderAnswer): boolean => answer.key !== undefined && UNREAD.includes(answer.key);

interface Since {
  readonly events: { event: string; payload: unknown }[];
  readonly user_seq: number;
  readonly complete: 0 | 1;
}

/** The key of a refusal with its reason, or that there was no answer. */
function refusalOf(error: Error): string {
  const { data } = error as Error & { data?: { params?: { reason?: unknown } } };
  const reason = data?.params?.reason;
  if (!/^[a-z]+\.[A-Za-z]+$/.test(error.message)) return 'common.unavailable';
  return typeof reason === 'string' ? `${error.message} reason=${reason}` : error.message;
}

/** The pairs of the exchange, read once in a while. */
export class Pairs {
  private readonly exchange: Bourse;
  private known = new Map<string, QuotationItem>();
  private readAt = -Infinity;
  private reading: Promise<void> | undefined;

  constructor(
    url: string,
    private readonly ageMs = 60_000,
  ) {
    this.exchange = new Bourse({ url });
  }

  /** @throws Error when the exchange does not answer */
  async find(symbol: string): Promise<QuotationItem | undefined> {
    const known = this.known.get(symbol);
    if (performance.now() - this.readAt > this.ageMs) {
      this.reading ??= this.read().finally(() => (this.reading = undefined));
      // Pairs do not change their numbers: old ones serve while the new ones are read, or cannot be.
      const read = this.reading.catch((error: unknown) => {
        if (this.known.size === 0) throw error;
      });
      if (!known) await read;
    }
    return known ?? this.known.get(symbol);
  }

  async first(): Promise<string | undefined> {
    await this.find('');
    return this.known.keys().next().value;
  }

  private async read(): Promise<void> {
    const all = await this.exchange.markets();
    this.known = new Map(all.map((one) => [one.symbol, one]));
    this.readAt = performance.now();
  }
}
