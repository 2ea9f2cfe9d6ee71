import type { DynamicModule } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import pino from 'pino';
import type { Config } from '../config/index.js';

/** Names whose values never reach a log, wherever they occur in a logged object. */
export const SECRET_NAMES = [
  'password',
  're_password',
  'repassword',
  'pay_password',
  'token',
  'code',
  'sms_code',
  'totp_code',
  'passkey',
  'secret',
  'authorization',
  'signature',
  'card_id',
  'bank_no',
];

/** Structured logs of a process: failures and alarms. Requests have a log of their own (`AccessLog`). */
export function loggingModule(config: Pick<Config, 'logLevel' | 'service'>): DynamicModule {
  return LoggerModule.forRoot({
    forRoutes: [], // per-request loggers cost more than most calls
    pinoHttp: {
      level: config.logLevel,
      base: { service: config.service },
      autoLogging: false,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[hidden]' },
    },
  });
}
