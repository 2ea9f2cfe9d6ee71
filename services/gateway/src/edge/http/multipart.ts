import { Injectable } from '@nestjs/common';
import { UPLOAD_LIMITS } from '@bourse/contract';
import { flatFields, Refused, Unavailable, Unreadable, type FieldRecord } from '@bourse/platform';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';

export const UPLOAD_PATH = '/api/upload';
/** The path at which operators upload pictures of news. */
export const NEWS_UPLOAD_PATH = '/api/admin/upload';
const PATHS: readonly string[] = [UPLOAD_PATH, NEWS_UPLOAD_PATH];
const MULTIPART = /^multipart\/form-data\s*(;|$)/i;
/** Bytes around a file: boundaries, part headers, the other fields. */
const AROUND_BYTES = 16 * 1024;

export interface SentFile {
  readonly fields: FieldRecord;
  readonly file: Buffer | null;
}

/** Multipart bodies: for uploads only; the number that is read at a time is bounded, because each is held in memory. */
@Injectable()
export class Multipart {
  private readonly reading = new Map<number, number>();

  install(fastify: FastifyInstance): void {
    void fastify.register(multipart, { throwFileSizeLimit: false });
    fastify.addHook('onRequest', (request, _reply, done) => {
      if (!MULTIPART.test(request.headers['content-type'] ?? '')) return done();
      if (request.method !== 'POST' || !PATHS.includes(request.url.split('?')[0] ?? ''))
        return done(new Refused('common.mediaType'));
      done(
        Number(request.headers['content-length'] ?? 0) > UPLOAD_LIMITS.bytes + AROUND_BYTES
          ? new Refused('upload.size', {}, { field: 'file' })
          : undefined,
      );
    });
  }

  /**
   * Reads the one file and the fields beside it. Throws `upload.size`, `common.mediaType`, and 400 for repeated, nested
   * or broken parts.
   */
  async read(request: FastifyRequest, userId: number): Promise<SentFile> {
    if (!request.isMultipart()) {
      if (request.headers['content-type'] === undefined) return { fields: flatFields([]), file: null };
      throw new Refused('common.mediaType');
    }
    const own = this.reading.get(userId) ?? 0;
    const all = [...this.reading.values()].reduce((sum, count) => sum + count, 0);
    if (own >= UPLOAD_LIMITS.readingPerUser || all >= UPLOAD_LIMITS.reading)
      throw new Unavailable('too many uploads are being read');
    this.reading.set(userId, own + 1);
    try {
      return await parts(request);
    } finally {
      const left = (this.reading.get(userId) ?? 1) - 1;
      if (left === 0) this.reading.delete(userId);
      else this.reading.set(userId, left);
    }
  }
}

async function parts(request: FastifyRequest): Promise<SentFile> {
  const fields: [string, string][] = [];
  let file: Buffer | null = null;
  let tooLarge = false;
  const limits = {
    fileSize: UPLOAD_LIMITS.bytes,
    files: 1,
    fields: 20,
    fieldSize: 1_024,
    fieldNameSize: 100,
    headerPairs: 20,
    parts: 21,
  };
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field') {
        if (part.fieldnameTruncated || part.valueTruncated || typeof part.value !== 'string')
          throw new Unreadable(`field ${part.fieldname.slice(0, 100)} is too long`);
        fields.push([part.fieldname, part.value]);
      } else {
        if (part.fieldname !== 'file') throw new Unreadable('a file of another name');
        file = await part.toBuffer();
        tooLarge ||= part.file.truncated;
      }
    }
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable(String(error));
  }
  if (tooLarge) throw new Refused('upload.size', {}, { field: 'file' });
  return { fields: flatFields(fields), file };
}
