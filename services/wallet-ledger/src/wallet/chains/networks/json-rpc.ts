import { ChainUnavailable } from '../application/chain.js';

/** An error that a node answered. `code` and `message` are the node's. */
export class RpcRefusal extends Error {
  constructor(
    readonly method: string,
    readonly code: number,
    readonly reason: string,
  ) {
    super(`${method}: ${reason} (${code})`);
  }
}

/** Limits of a call: duration and size of the answer. */
export interface RpcBounds {
  readonly timeoutMs: number;
  readonly bytesMax: number;
}
/** Limits of ordinary calls, as of every outbound connection of the exchange. */
const SHORT: RpcBounds = { timeoutMs: 3_000, bytesMax: 1_000_000 };
/**
 * Limits for whole blocks: a full block of the large chains is many megabytes of JSON, and must not stop all deposits.
 */
export const BLOCK: RpcBounds = { timeoutMs: 20_000, bytesMax: 64_000_000 };
const BATCH = 100;

interface RpcAnswer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code?: number; readonly message?: string } | null;
}
export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/**
 * JSON-RPC over HTTP to a node of the operator. Follows no redirects; every call has a timeout and a limit of bytes.
 * Some nodes send amounts as JSON numbers: with `amountsAsText` every number under `value` and `feerate` keeps the
 * node's text. Throws `RpcRefusal` for a refusal by the node and `ChainUnavailable` when there is no valid answer. The
 * address may contain name and password; they never appear in a message.
 */
export class JsonRpc {
  private readonly address: string;
  private readonly headers: Readonly<Record<string, string>>;
  private next = 1;

  constructor(
    url: string,
    private readonly name: string,
    private readonly amountsAsText = false,
  ) {
    const parsed = new URL(url);
    const login =
      parsed.username === ''
        ? null
        : Buffer.from(`${decodeURIComponent(parsed.username)}:${decodeURIComponent(parsed.password)}`).toString(
            'base64',
          );
    parsed.username = '';
    parsed.password = '';
    this.address = parsed.href;
    this.headers = { 'content-type': 'application/json', ...(login !== null && { authorization: `Basic ${login}` }) };
  }

  async call<T>(method: string, params: readonly unknown[] = [], bounds: RpcBounds = SHORT): Promise<T> {
    const id = this.next++;
    const answer = (await this.post({ jsonrpc: '2.0', id, method, params }, bounds)) as RpcAnswer;
    return this.resultOf<T>(answer, method);
  }

  /** Sends calls in as few requests as possible; results are in the order of the calls. */
  async all<T>(calls: readonly RpcCall[]): Promise<T[]> {
    const results: T[] = [];
    for (let from = 0; from < calls.length; from += BATCH) {
      const some = calls.slice(from, from + BATCH);
      const first = this.next;
      this.next += some.length;
      const answers = await this.post(
        some.map(({ method, params }, place) => ({ jsonrpc: '2.0', id: first + place, method, params })),
        SHORT,
      );
      if (!Array.isArray(answers))
        throw new ChainUnavailable(`${this.name}: the node does not answer several calls at once`);
      const byId = new Map((answers as RpcAnswer[]).map((answer) => [answer.id, answer]));
      some.forEach(({ method }, place) => results.push(this.resultOf<T>(byId.get(first + place), method)));
    }
    return results;
  }

  private resultOf<T>(answer: RpcAnswer | undefined, method: string): T {
    if (answer?.error) throw new RpcRefusal(method, answer.error.code ?? 0, answer.error.message ?? 'no reason given');
    if (answer?.result === undefined) throw new ChainUnavailable(`${this.name}: ${method} has no result`);
    return answer.result as T;
  }

  private async post(body: unknown, { timeoutMs, bytesMax }: RpcBounds): Promise<unknown> {
    try {
      const response = await fetch(this.address, {
        method: 'POST',
        headers: this.headers,
        body: JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await boundedText(response, bytesMax);
      // Nodes of the Bitcoin family answer a refused call with status 500 and a body; a response without a body is not
      // from a node.
      const parsed = parse(text, this.amountsAsText);
      if (parsed === null || typeof parsed !== 'object') throw new Error(`status ${response.status} without an answer`);
      return parsed;
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
      throw new ChainUnavailable(
        `${this.name}: the node gave no answer (${error instanceof Error ? error.message : String(error)}${cause})`,
        { cause: error },
      );
    }
  }
}

async function boundedText(response: Response, bytesMax: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += (part as Uint8Array).byteLength;
    if (bytes > bytesMax) throw new Error(`an answer of more than ${bytesMax} bytes`);
    parts.push(part as Uint8Array);
  }
  return Buffer.concat(parts).toString('utf8');
}

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;
/** JSON numbers become binary fractions when parsed, so the source text is kept. */
const asWritten: Reviver = (key, value, { source }) =>
  (key === 'value' || key === 'feerate') && typeof value === 'number' ? source : value;
const parse = (text: string, amountsAsText: boolean): unknown =>
  JSON.parse(text, amountsAsText ? (asWritten as (key: string, value: unknown) => unknown) : undefined);
