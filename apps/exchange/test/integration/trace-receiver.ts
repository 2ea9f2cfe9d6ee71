import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as OTLP has it. */
export interface Span {
  /** The service of the process. */
  readonly service: unknown;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}
interface Traces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Span['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly Omit<Span, 'service'>[] }[];
  }[];
}

/** Takes what an exporter sends by OTLP over HTTP, as JSON. */
export class TraceReceiver {
  readonly spans: Span[] = [];
  readonly services = new Set<unknown>();
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (request.url === '/v1/traces') this.take(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Traces);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
  }

  /** Listens at a port that the exchange knows, or at a free one. */
  async listen(port = 0): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }
  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
  of(traceId: string): Span[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  private take({ resourceSpans }: Traces): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value['stringValue'];
      this.services.add(service);
      for (const { spans } of scopeSpans) this.spans.push(...spans.map((span) => ({ ...span, service })));
    }
  }
}
