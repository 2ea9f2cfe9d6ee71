import { Catch, Injectable, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { plainAddress } from './addresses.js';
import { codedRefusal, isCoded, refusalOf, refused } from './answers.js';
import { Unreadable } from './body.js';
import { languageOf } from './language.js';
import { SecurityLog } from '../security/security-log.js';
import { Refused } from './refused.js';
import { RouteTable } from './route-table.js';
import { isUndone } from './unavailable.js';

/**
 * Turns every error of a call into the envelope: refusals with their key, unforeseen errors into 500 `common.defect`
 * with nothing but the request id.
 */
@Injectable()
export class RefusalAnswers {
  private readonly log = new Logger('Calls');
  constructor(
    private readonly routes: RouteTable,
    private readonly security: SecurityLog,
  ) {}

  /** Sends the refusal of an error to the caller, unless an answer was sent before. */
  send(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    if (reply.sent) return;
    let refusal = refusalOf(error);
    const path = request.url.split('?')[0] ?? '';
    const described = { requestId: request.bourse?.requestId ?? request.id, method: request.method, path, err: error };
    if (!refusal) {
      this.log.error(described, 'a call failed');
      refusal = new Refused('common.defect');
    }
    if (isUndone(error)) this.log.warn(described, 'the database undid a call');
    if (error instanceof Unreadable) this.log.debug(`${request.method} ${path}: ${error.reason}`);
    if (refusal.key === 'common.noRoute') {
      // A call that exists but is not served (dev calls in production) is not found under any method.
      const methods = HIDDEN.test(path) ? [] : this.routes.methodsOf(path);
      if (methods.length > 0 && !methods.includes(request.method)) {
        refusal = new Refused('common.noMethod');
        reply.header('allow', methods.join(', '));
      }
    }
    request.refusal = refusal.key;
    const context = request.bourse;
    const lang = context?.lang ?? languageOf(request.headers);
    const { status, headers, body } = refused(refusal, {
      requestId: context?.requestId ?? request.id,
      lang,
      commandId: refusal.key === 'common.processing' ? (context?.commandId ?? null) : null,
    });
    if (status === 403 || refusal.key === 'apikey.signature') this.note(request, refusal.key, path);
    reply
      .code(status)
      .header('cache-control', 'no-store')
      .header('content-type', 'application/json; charset=utf-8')
      .headers({ ...headers })
      .send(
        !isCoded(path)
          ? body
          : status === 200
            ? codedRefusal(refusal, lang)
            : { ...body, ...codedRefusal(refusal, lang) },
      );
  }

  /**
   * A role that is missing, a signature of ours that is forged, an API key that is wrong or may not do this [HARD-206].
   */
  private note(request: FastifyRequest, key: string, path: string): void {
    const { bourse: context, method, call } = request;
    const caller = context?.caller;
    this.security.recordFew(
      key === 'apikey.signature' ? 'api_key.refused' : 'access.refused',
      context?.ip ?? plainAddress(request.ip),
      {
        request_id: context?.requestId ?? request.id,
        ...(caller ? { [caller.kind === 'operator' ? 'operator_id' : 'user_id']: caller.userId } : {}),
        method,
        path: call?.path ?? path.slice(0, PATH_LENGTH),
        key,
      },
    );
  }
}

/** Sends the refusal of a call that ran in Nest. */
@Catch()
export class RefusalFilter implements ExceptionFilter {
  constructor(private readonly answers: RefusalAnswers) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answers.send(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}

/** A caller chooses the length of a path that does not exist; a log limits it. */
const PATH_LENGTH = 100;
const HIDDEN = /^\/(internal|dev)\//;
