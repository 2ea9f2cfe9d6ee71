import { Controller, Param, Req } from '@nestjs/common';
import { UPLOAD_LIMITS } from '@bourse/contract';
import {
  Call,
  CurrentCaller,
  fieldsOf,
  Fields,
  present,
  Raw,
  readOneOf,
  Refused,
  type Caller,
  type FieldRecord,
} from '@bourse/platform';
import type { FastifyRequest } from 'fastify';
import { SCENES, Uploads } from '../../application/uploads.js';
import { Multipart, UPLOAD_PATH } from './multipart.js';

/** A picture stays with who was shown it, and can do nothing in a browser but be looked at. */
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'private, max-age=300',
  'content-disposition': 'inline',
};

/** Images in and out (api §2.11). */
@Controller()
export class UploadController {
  constructor(
    private readonly multipart: Multipart,
    private readonly uploads: Uploads,
  ) {}

  @Call({ method: 'POST', path: UPLOAD_PATH, auth: 'user', apiKey: 'none', deadlineMs: UPLOAD_LIMITS.deadlineMs })
  async upload(@Req() request: FastifyRequest, @CurrentCaller() caller: Caller): Promise<string> {
    const sent = await this.multipart.read(request, caller.userId);
    const fields = { ...fieldsOf(request), ...sent.fields };
    if (!sent.file || sent.file.length === 0) throw new Refused('upload.required', {}, { field: 'file' });
    const scene = present(fields, 'scene') === undefined ? 'pay' : readOneOf(fields, 'scene', SCENES);
    return this.uploads.add(caller.userId, scene, sent.file);
  }

  @Call({ method: 'GET', path: `${UPLOAD_PATH}/:name`, auth: 'public', raw: true })
  async image(@Param('name') name: string, @Fields() fields: FieldRecord): Promise<Raw> {
    const image = await this.uploads.shown(name, present(fields, 'e') ?? '', present(fields, 's') ?? '');
    // One answer for what is not there, not signed, or signed too long ago.
    if (!image) throw new Refused('common.notFound', {}, { status: 404 });
    return new Raw(image.bytes, { contentType: image.contentType, headers: HEADERS });
  }
}
