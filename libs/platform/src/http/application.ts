import { createHash, randomFillSync } from 'node:crypto';
import { Injectable, Module, type DynamicModule, type Type, type WebSocketAdapter } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, DiscoveryModule, NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { BODY_LIMIT_BYTES } from '@bourse/contract';
import { Logger } from 'nestjs-pino';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock } from '../clock.js';
import { AccessLog } from '../observability/access-log.js';
import { Config } from '../config/index.js';
import { Readiness } from '../observability/readiness.js';
import { inRequest, SecurityLog } from '../security/security-log.js';
import { EDGE, Health, MetricsServer } from '../observability/health.js';
import { HealthController } from '../observability/health.controller.js';
import { plainAddress, trustOf } from './addresses.js';
import { refusalOf, refused } from './answers.js';
import { parseForm, parseJsonBody, Unreadable, utf8, type FieldRecord } from './body.js';
import { EnvelopeInterceptor } from './envelope.interceptor.js';
import { FieldsPipe } from './fields/read.js';
import { fieldsOf } from './call.js';
import { waitsForCatalog } from './catalog-gate.js';
import { installDirectDoor } from './direct-door.js';
import { admitInternal, bodyHash, CONTEXT_HEADER, InternalCalls, InternalGuard } from './internal.js';
import { INTERNAL_REQUESTS_MAX, InternalPort, isInternalCall } from './internal-port.js';
import { languageOf } from './language.js';
import { OpenApi } from './open-api.js';
import { RefusalAnswers, RefusalFilter } from './refusal.filter.js';
import { originForm } from './request-target.js';
import { Refused } from './refused.js';
import { RouteTable } from './route-table.js';
import { traceRequests } from './traced-requests.js';
import { Traffic } from './traffic.js';

/** Holds the adapter of the part that serves sockets: Nest takes it when the application starts. */
@Injectable()
export class SocketAdapterHost {
  adapter: WebSocketAdapter | undefined;
}

/**
 * Envelope, refusals, health and routes of a process. In a service process (`edge: false`) the internal guard checks
 * every call; at the edge the gateway's module brings its own.
 */
@Module({})
export class HttpModule {
  static forRoot({ edge }: { readonly edge: boolean }): DynamicModule {
    return {
      module: HttpModule,
      global: true,
      imports: [DiscoveryModule],
      controllers: [HealthController],
      providers: [
        RouteTable,
        OpenApi,
        Health,
        MetricsServer,
        InternalPort,
        Traffic,
        AccessLog,
        SocketAdapterHost,
        RefusalAnswers,
        { provide: EDGE, useValue: edge },
        { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
        { provide: APP_FILTER, useClass: RefusalFilter },
        { provide: APP_PIPE, useClass: FieldsPipe },
        ...(edge ? [] : [{ provide: APP_GUARD, useClass: InternalGuard }]),
      ],
      exports: [RouteTable, OpenApi, SocketAdapterHost, Traffic, RefusalAnswers],
    };
  }
}

export interface HttpAppOptions {
  readonly config: Config;
  /** The infrastructure module and the modules of the services in this process. */
  readonly imports: readonly (DynamicModule | Type)[];
  /** True in the embedded run and in the gateway's process. */
  readonly edge: boolean;
}

/**
 * Makes the application of a process: Fastify with the body rules of api §1.1, the envelope, health calls, structured
 * logs. The caller listens and closes.
 */
export async function createHttpApp({ config, imports, edge }: HttpAppOptions): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    bodyLimit: edge ? BODY_LIMIT_BYTES : INTERNAL_BODY_LIMIT_BYTES,
    trustProxy: edge && config.trustedProxies.length > 0 ? trustOf(config.trustedProxies) : false,
    genReqId: requestIds(),
    rewriteUrl: (request: { readonly url?: string | undefined }) => originForm(request.url ?? '/'),
    routerOptions: {
      ignoreTrailingSlash: false,
      caseSensitive: true,
      maxParamLength: 200,
      querystringParser: (text: string) => ({ [QUERY]: text }),
    },
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    // Each connection closes after a number of requests: callers keep their connections, and would never reach a copy
    // that was started later.
    ...(edge ? {} : { maxRequestsPerSocket: INTERNAL_REQUESTS_MAX }),
    forceCloseConnections: 'idle',
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      const { status, body } = refused(refusalOf(error) ?? new Refused('common.badRequest'), {
        requestId: request.id,
        lang: languageOf(request.headers),
      });
      void reply.code(status).header('content-type', 'application/json; charset=utf-8').send(body);
    },
  });
  installBodyRules(adapter);
  const root: DynamicModule = { module: Root, imports: [...imports, HttpModule.forRoot({ edge })] };
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    bodyParser: false,
    bufferLogs: true,
    // The runner that started the process reports a failed start in one sentence; Nest would print its own text and end
    // the process.
    abortOnError: false,
    autoFlushLogs: false,
  });
  const { adapter: sockets } = app.get(SocketAdapterHost);
  if (sockets) app.useWebSocketAdapter(sockets);
  // Runs before the body is read: outsiders must not make us parse bodies that only our own processes may send.
  const clock = app.get(Clock);
  adapter.getInstance().addHook('onRequest', (request, _reply, done) => inRequest(request, done));
  traceRequests(adapter.getInstance(), { edge });
  const security = app.get(SecurityLog);
  const port = app.get(InternalPort);
  const readiness = app.get(Readiness);
  const calls = edge && config.run === 'embedded' ? null : app.get(InternalCalls);
  adapter.getInstance().addHook('onRequest', (request, _reply, done) => {
    const isInternal = isInternalCall(request.url);
    const header = request.headers[CONTEXT_HEADER];
    const isOurs = port.hasTaken(request.raw);
    // At the edge anyone may send the header; it counts only on the port of our own processes.
    if (header !== undefined && (isInternal || !edge)) {
      const signed = isOurs ? calls?.verify(header, request, clock.real()) : null;
      if (signed) request.signed = signed;
      else
        security.recordFew('internal.refused', plainAddress(request.ip), {
          request_id: request.id,
          call: `${request.method} ${request.url.slice(0, 200)}`,
        });
    }
    const passes = !isInternal || request.signed !== undefined;
    if (!passes) done(new Refused(edge ? 'common.noRoute' : 'common.forbidden'));
    else done(waitsForCatalog(request.url, readiness) ? new Refused('common.unavailable') : undefined);
  });
  app.get(Traffic).install(adapter.getInstance(), { forwards: edge && config.run === 'distributed' });
  if (!edge)
    installDirectDoor(adapter.getInstance(), app.get(RouteTable), app.get(RefusalAnswers), async (call, request) => {
      admitInternal(request, call.policy);
      return call.run(request);
    });
  app.useLogger(app.get(Logger));
  app.flushLogs();
  app.get(OpenApi).bind(app);
  return app;
}

class Root {}

const ID_BYTES = 12;
const IDS_DRAWN = 256;
/** Ids that cannot be guessed, drawn by the hundred: a draw costs much the same for one and for many. */
function requestIds(): () => string {
  const drawn = Buffer.alloc(ID_BYTES * IDS_DRAWN);
  let at = drawn.length;
  return () => {
    if (at === drawn.length) {
      randomFillSync(drawn);
      at = 0;
    }
    return drawn.toString('base64url', at, (at += ID_BYTES));
  };
}
const QUERY = Symbol('query');
const NO_BODY = bodyHash('');
const INTERNAL_BODY_LIMIT_BYTES = 1024 * 1024;

function installBodyRules(adapter: FastifyAdapter): void {
  const fastify = adapter.getInstance();
  fastify.removeAllContentTypeParsers();
  const read = new WeakSet<FastifyRequest>();
  const parser =
    (parse: (text: string) => FieldRecord) =>
    (request: FastifyRequest, body: Buffer, done: (error: Error | null, parsed?: unknown) => void): void => {
      try {
        // A program signs the bytes, not the fields that we parse from them.
        if (request.headers['x-api-key'] !== undefined)
          request.bodyDigest = createHash('sha256').update(body).digest('hex');
        if (request.signed && request.signed.body !== bodyHash(body)) throw new Refused('common.forbidden');
        read.add(request);
        // Between our own processes bodies may be nested; their signature was checked before.
        done(null, request.url.startsWith('/internal/') ? JSON.parse(utf8(body)) : parse(utf8(body)));
      } catch (error) {
        done(error as Error);
      }
    };
  fastify.addContentTypeParser(
    /^application\/x-www-form-urlencoded\s*(;|$)/i,
    { parseAs: 'buffer' },
    parser(parseForm),
  );
  fastify.addContentTypeParser(/^application\/json\s*(;|$)/i, { parseAs: 'buffer' }, parser(parseJsonBody));
  // Runs after the body was read: both are checked before the rates and the token (api §1.4).
  fastify.addHook('preValidation', (request, _reply, done) => {
    try {
      // A request with a signed body that arrives without one was changed.
      if (request.signed && !read.has(request) && request.signed.body !== NO_BODY)
        throw new Refused('common.forbidden');
      const text = (request.query as { [QUERY]?: string } | undefined)?.[QUERY] ?? '';
      request.query = parseForm(text);
      // `PUT` and `DELETE` take their fields from body or query (api §1.1): a handler's `@Body()` is both.
      const isBound = request.method !== 'GET' && request.method !== 'HEAD' && !request.url.startsWith('/internal/');
      if (isBound && (text !== '' || !request.body)) request.body = fieldsOf(request);
      done();
    } catch (error) {
      done(error instanceof Unreadable || error instanceof Refused ? error : new Unreadable(String(error)));
    }
  });
}
