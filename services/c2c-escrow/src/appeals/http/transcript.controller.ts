import { Controller, Query } from '@nestjs/common';
import { timeText as timeSchema } from '@bourse/contract';
import {
  Call,
  Context,
  CurrentCaller,
  file,
  message,
  Raw,
  timeText,
  type CallContext,
  type Caller,
} from '@bourse/platform';
import * as z from 'zod/mini';
import { TranscriptKeys } from '../application/ports.js';
import { KEYS_PATH, Transcripts } from '../application/transcripts.js';
import { TRANSCRIPT_POLICY } from '../domain/transcript.js';
import { DealQuery } from './fields.js';

const HTML = 'text/html; charset=utf-8';
const DEADLINE_MS = 20_000;
const transcriptKey = z.object({ key: z.string(), since: timeSchema });

const toDocument = (id: string, html: string): Raw =>
  new Raw(html, {
    contentType: HTML,
    headers: {
      'content-disposition': `attachment; filename="deal-${id}.html"`,
      'content-security-policy': `${TRANSCRIPT_POLICY}; frame-ancestors 'none'; sandbox`,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
  });

/** Transcripts of deals, and the keys that sign them (rules §6). */
@Controller()
export class TranscriptController {
  constructor(
    private readonly transcripts: Transcripts,
    private readonly keys: TranscriptKeys,
  ) {}

  @Call(
    {
      method: 'GET',
      path: '/api/c2c/transcript',
      auth: 'user',
      rate: 'c2c',
      apiKey: 'none',
      raw: true,
      deadlineMs: DEADLINE_MS,
    },
    {
      summary: 'Get the signed transcript of an own deal with its pictures',
      answer: file('text/html'),
      refuses: ['common.notFound'],
    },
  )
  async createForParty(
    @Query() { id }: DealQuery,
    @CurrentCaller() caller: Caller,
    @Context() { lang }: CallContext,
  ): Promise<Raw> {
    return toDocument(id, await this.transcripts.createForParty(caller.userId, id, lang));
  }

  @Call(
    {
      method: 'GET',
      path: '/api/admin/c2c_orders/transcript',
      auth: 'operator',
      role: 'support',
      raw: true,
      deadlineMs: DEADLINE_MS,
    },
    {
      summary: 'Get the signed transcript of a deal with its pictures',
      answer: file('text/html'),
      refuses: ['common.notFound'],
    },
  )
  async createForOperator(@Query() { id }: DealQuery, @Context() { lang }: CallContext): Promise<Raw> {
    return toDocument(id, await this.transcripts.createForOperator(id, lang));
  }

  @Call(
    { method: 'GET', path: KEYS_PATH, auth: 'public', rate: 'public' },
    {
      summary: 'Ed25519 keys that have signed transcripts, the newest first',
      answer: message(z.array(transcriptKey)),
    },
  )
  async listKeys(): Promise<z.output<typeof transcriptKey>[]> {
    return (await this.keys.list()).map(({ publicKey: key, since }) => ({ key, since: timeText(since) }));
  }
}
