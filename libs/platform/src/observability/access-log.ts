import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { CALL_PATHS } from '@bourse/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import pino, { type Logger } from 'pino';
import { Config } from '../config/index.js';
import { EDGE } from './health.js';

/**
 * One JSON line for each call that the edge has answered, whatever the level of the other logs; files of the terminal
 * and calls of probes have none. It contains neither address nor agent nor fields: `request_id` leads to the security
 * log, `trace_id` to the trace. It goes to standard output, or to `DATA_DIR/access.log` on a demo install. `ACCESS_LOG`
 * turns it on or off; on a production install it is on.
 */
@Injectable()
export class AccessLog {
  private readonly out: Logger | undefined;

  constructor(config: Config, @Inject(EDGE) edge: boolean) {
    if (!edge || !config.accessLog) return;
    this.out = pino(
      {
        base: { service: config.service, kind: 'access' },
        timestamp: pino.stdTimeFunctions.isoTime,
        // Not an empty object: pino would begin each line with a comma.
        formatters: { level: (label) => ({ level: label }) },
      },
      config.dev
        ? pino.destination({ dest: join(config.dataDir, 'access.log'), mkdir: true, sync: false, append: true })
        : pino.destination({ dest: 1, sync: false }),
    );
  }

  /** Writes the line of an answered request. `route` is bounded: the path of a call as it is declared, or none. */
  record(request: FastifyRequest, { statusCode, elapsedTime }: FastifyReply, route: string): void {
    if (!this.out || !CALL_PATHS.test(request.url)) return;
    const { bourse: context, refusal, span } = request;
    const caller = context?.caller;
    this.out.info({
      request_id: context?.requestId ?? request.id,
      ...(span ? { trace_id: span.traceId } : {}),
      method: request.method,
      route,
      status: statusCode,
      ...(refusal === undefined ? {} : { key: refusal }),
      ms: Math.round(elapsedTime * 10) / 10,
      ...(caller ? { [caller.kind === 'operator' ? 'operator_id' : 'user_id']: caller.userId } : {}),
    });
  }
}
