import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Shorter answers fit into one packet anyway. */
const BYTES_MIN = 2_000;
/** A tenth of the bytes of a chart in about two milliseconds; higher qualities take ten times as long. */
const BROTLI_QUALITY = 4;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
const COMPRESSED = {
  br: (plain: Buffer) => brotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (plain: Buffer) => gzipped(plain),
} as const;
type Encoding = keyof typeof COMPRESSED;

/**
 * Compresses long answers of public market data (`auth` and `rate` public) for clients that accept it. Answers with
 * data of a person are never compressed: their length would tell what they have in common with the request.
 */
export function installCompression(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload: unknown, done) => {
    const plain = isPublicData(request) ? bytesOf(payload) : undefined;
    if (!plain || plain.length < BYTES_MIN || reply.hasHeader('content-encoding')) return done(null, payload);
    const vary = reply.getHeader('vary');
    reply.header('vary', vary === undefined ? 'accept-encoding' : `${String(vary)}, accept-encoding`);
    const encoding = acceptedEncoding(String(request.headers['accept-encoding'] ?? ''));
    if (encoding === undefined || request.method === 'HEAD') return done(null, payload);
    COMPRESSED[encoding](plain).then((compressed) => {
      reply.header('content-encoding', encoding).header('content-length', compressed.length);
      done(null, compressed);
    }, done);
  });
}

const bytesOf = (payload: unknown): Buffer | undefined =>
  typeof payload === 'string' ? Buffer.from(payload) : Buffer.isBuffer(payload) ? payload : undefined;
const isPublicData = ({ call }: FastifyRequest): boolean => call?.auth === 'public' && call.rate === 'public';

/** The best encoding that a client names and does not refuse with `q=0`; undefined: none. */
export function acceptedEncoding(header: string): Encoding | undefined {
  const accepted = header
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((one) => one.trim()))
    .filter(([, weight]) => weight === undefined || !/^q=0(?:\.0*)?$/.test(weight))
    .map(([name]) => name);
  return (['br', 'gzip'] as const).find((encoding) => accepted.includes(encoding));
}
