import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The fault of the third party's next answer. */
export type Mood =
  | 'right'
  /** Answers nothing, and does nothing. */
  | 'silent'
  /** Does it, and the answer is lost. */
  | 'cut'
  | 'error'
  | 'nonsense'
  | 'huge'
  | 'redirect'
  | 'more-free'
  | 'too-fine';

interface Account {
  readonly password: string;
  readonly points: string;
  readonly free: string;
}

/**
 * A third party of points that keeps the protocol of docs/interfaces.md over HTTP, and breaks it as the test demands,
 * request by request.
 */
export class ThirdParty {
  readonly accounts = new Map<string, Account>([['jcdemo', { password: 'jcdemo1', points: '1000', free: '500' }]]);
  /** Reference to account; null: released. */
  readonly references = new Map<string, string | null>();
  /** Of each request, as it came. */
  readonly seen: string[] = [];
  readonly wrongSignatures: string[] = [];
  moods: Mood[] = [];
  private server: Server | undefined;

  constructor(readonly secret: string) {}

  async start(): Promise<string> {
    const server = createServer((request, response) => void this.serve(request, response));
    this.server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/points/`;
  }
  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const part of request) body += String(part);
    const { method = '', url = '', headers } = request;
    this.seen.push(`${method} ${url}`);
    const signed = [method, url, headers['x-timestamp'], createHash('sha256').update(body).digest('hex')].join('\n');
    const expected = createHmac('sha256', this.secret).update(signed).digest('hex');
    if (headers['x-signature'] !== expected) this.wrongSignatures.push(url);
    const mood = this.moods.shift() ?? 'right';
    if (mood === 'silent') return;
    const [status, answer] = this.decide(method, decodeURIComponent(url.split('/').at(-1)!), body);
    if (mood === 'cut') return void request.socket.destroy();
    if (mood === 'error') return void response.writeHead(503).end();
    if (mood === 'redirect') return void response.writeHead(307, { location: url }).end();
    if (mood === 'nonsense') return void response.writeHead(200).end('<html>maintenance</html>');
    if (mood === 'huge') return void response.writeHead(200).end('x'.repeat(20_000));
    if (mood === 'more-free') return void response.end('{"account":"jcdemo","points":"1","free_points":"2"}');
    if (mood === 'too-fine') return void response.end('{"account":"jcdemo","points":"1.123456789","free_points":"0"}');
    response.writeHead(status, { 'content-type': 'application/json' }).end(answer);
  }

  private decide(method: string, reference: string, body: string): [number, string] {
    if (method === 'DELETE') {
      this.references.set(reference, null);
      return [204, ''];
    }
    const { account, password } = JSON.parse(body) as { account: string; password: string };
    const known = this.accounts.get(account);
    if (known?.password !== password) return [401, '{"error":"credentials"}'];
    if (this.references.get(reference) === null) return [410, '{"error":"released"}'];
    for (const [other, bound] of this.references)
      if (bound === account && other !== reference) return [409, '{"error":"taken"}'];
    this.references.set(reference, account);
    return [200, JSON.stringify({ account, points: known.points, free_points: known.free })];
  }
}
