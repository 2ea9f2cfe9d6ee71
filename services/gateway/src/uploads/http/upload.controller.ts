import { Controller, Param, Query, Req } from '@nestjs/common';
import { UPLOAD_LIMITS } from '@bourse/contract';
import {
  Call,
  type Caller,
  CurrentCaller,
  fieldsOf,
  file,
  message,
  Raw,
  Refused,
  declaredFields,
  readFields,
} from '@bourse/platform';
import { ImageQuery, NewsUploadQuery, UploadFields } from './fields.js';
import * as z from 'zod/mini';
import type { FastifyRequest } from 'fastify';
import { Uploads } from '../application/uploads.js';
import { Multipart, NEWS_UPLOAD_PATH, UPLOAD_PATH } from '../../edge/http/multipart.js';

/**
 * A signed picture is cached only by its recipient, and a browser can do nothing but display it. The signature is the
 * right to see it, so pages of other origins may display it too: the console may have an origin of its own.
 */
const HEADERS = {
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'private, max-age=300',
  'content-disposition': 'inline',
};

/** Public pictures are the same for everybody and for ever: names are random, and the bytes of a name never change. */
const PUBLIC_HEADERS = { ...HEADERS, 'cache-control': 'public, max-age=86400, immutable' };

const FILE = { file: { type: 'string', format: 'binary' } };
const NEWS_BODY = { 'multipart/form-data': { schema: { type: 'object', properties: FILE, required: ['file'] } } };
const UPLOAD_BODY = {
  'multipart/form-data': {
    schema: {
      type: 'object',
      properties: {
        ...FILE,
        ...Object.fromEntries(
          declaredFields(UploadFields).flatMap(({ parts }) => parts.map((part) => [part.name, part.schema])),
        ),
      },
      required: ['file'],
    },
  },
};

/** Images in and out (api §2.11). */
@Controller()
export class UploadController {
  constructor(
    private readonly multipart: Multipart,
    private readonly uploads: Uploads,
  ) {}

  @Call(
    { method: 'POST', path: UPLOAD_PATH, auth: 'user', apiKey: 'none', deadlineMs: UPLOAD_LIMITS.deadlineMs },
    {
      summary: 'Upload a picture; the message is its address',
      answer: message(z.string()),
      refuses: ['upload.required', 'upload.type', 'upload.size', 'upload.quota'],
      body: UPLOAD_BODY,
    },
  )
  async upload(@Req() request: FastifyRequest, @CurrentCaller() caller: Caller): Promise<string> {
    const sent = await this.multipart.read(request, caller.userId);
    const fields = { ...fieldsOf(request), ...sent.fields };
    if (!sent.file || sent.file.length === 0) throw new Refused('upload.required', {}, { field: 'file' });
    const { scene } = readFields(UploadFields, fields);
    return this.uploads.add(caller.userId, scene, sent.file);
  }

  @Call(
    {
      method: 'POST',
      path: NEWS_UPLOAD_PATH,
      auth: 'operator',
      role: 'support',
      deadlineMs: UPLOAD_LIMITS.deadlineMs,
    },
    {
      summary: 'Upload a picture for news; it is public once a news item uses its address',
      answer: message(z.string()),
      refuses: ['upload.required', 'upload.type', 'upload.size', 'upload.quota'],
      body: NEWS_BODY,
    },
  )
  async newsPicture(
    @Req() request: FastifyRequest,
    @Query() { reason }: NewsUploadQuery,
    @CurrentCaller() operator: Caller,
  ): Promise<string> {
    const { file: bytes } = await this.multipart.read(request, operator.userId);
    if (!bytes || bytes.length === 0) throw new Refused('upload.required', {}, { field: 'file' });
    const by = { operatorId: operator.userId, operator: operator.accountNumber, reason };
    return this.uploads.addNews(by, bytes);
  }

  @Call(
    { method: 'GET', path: `${UPLOAD_PATH}/:name`, auth: 'public', raw: true },
    {
      summary: 'Get a picture by its signed address; pictures of news need no signature',
      answer: file('image/webp'),
    },
  )
  async image(@Param('name') name: string, @Query() fields: ImageQuery): Promise<Raw> {
    const signed = await this.uploads.shown(name, fields.e ?? '', fields.s ?? '');
    const image = signed ?? (await this.uploads.published(name));
    // One answer whether the image is missing, unsigned, or its signature has expired.
    if (!image) throw new Refused('common.notFound', {}, { status: 404 });
    return new Raw(image.bytes, { contentType: image.contentType, headers: signed ? HEADERS : PUBLIC_HEADERS });
  }
}
