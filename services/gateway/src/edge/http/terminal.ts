import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { Config, Refused } from '@bourse/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.txt': 'text/plain; charset=utf-8',
  '.map': 'application/json',
  '.webmanifest': 'application/manifest+json',
};
const COMPRESSED = new Set(['.html', '.js', '.mjs', '.css', '.json', '.svg', '.txt', '.map', '.webmanifest']);
/** Files with a content hash in their name never change. */
const HASHED = /[-.][A-Za-z0-9_-]{8,}\.\w+$/;
/** Interval at which a new build is noticed. */
const LISTED_MS = 1_000;
/**
 * Written by the builds: the addresses of screens, and the files of their pages where they have one of their own. Any
 * other address is answered with 404 (api §5).
 */
const ADDRESSES = '/addresses.json';
/** The page of every address that has none of its own. */
const COMMON_PAGE = '/index.html';
/** Files that are pages of addresses, and no addresses themselves. */
const PAGES = /^\/(index|screens\/[a-zA-Z]+)\.html$/;
/** Paths for programs: never answered with a page. */
const PROGRAMS = /^\/(api|dev|upi|walletMiddle|internal|socket\.io|healthz|readyz|metrics)(\/|$)/;
/** Path of the operators' console. */
const CONSOLE = '/admin';
/** The one page among the demo calls: the front door admits it under the same conditions. */
const GALLERY = '/dev/gallery';

interface Served {
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly br: Buffer | null;
  readonly gzip: Buffer | null;
  readonly immutable: boolean;
}

/** Serves the built terminal, and under `/admin` the operators' console. */
@Injectable()
export class Terminal {
  private readonly terminal: BuiltPages;
  private readonly console: BuiltPages;

  constructor(config: Config) {
    const built = (app: string): string => fileURLToPath(new URL(`../../../../../apps/${app}/dist/`, import.meta.url));
    this.terminal = new BuiltPages(config.terminalDir ?? built('terminal'), config.examples);
    this.console = new BuiltPages(config.consoleDir ?? built('console'), config.examples);
  }

  /** Answers a GET that belongs to no call; throws `common.noRoute` if there is nothing. */
  async serve(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const path = request.url.split('?')[0] ?? '/';
    if (PROGRAMS.test(path) && path !== GALLERY) throw new Refused('common.noRoute');
    const inside = path === CONSOLE || path.startsWith(`${CONSOLE}/`);
    if (!inside) return this.terminal.serve(path, request, reply);
    return this.console.serve(path.slice(CONSOLE.length) || '/', request, reply);
  }
}

/**
 * The files and pages of one build. Files are looked up in a listing of its folder, so no path of a request ever
 * reaches the file system; compressed once, kept in memory.
 */
class BuiltPages {
  private files = new Map<string, string>();
  private listedAt = -Infinity;
  private pageOf: (path: string) => string | undefined = () => undefined;
  private stamp = '';
  private readonly kept = new Map<string, Promise<Served>>();

  constructor(
    private readonly folder: string,
    private readonly examples: readonly string[],
  ) {}

  /** @param path of the request, below the base path of the build */
  async serve(path: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.list();
    const file = this.files.get(path) ?? this.files.get(`${path}/index.html`);
    if (file && !PAGES.test(path)) return this.send(request, reply, file, 200);
    const own = this.pageOf(path);
    const known = own !== undefined;
    const page = this.files.get(own ?? COMMON_PAGE);
    const wantsPage = extname(path) === '' && (known || /text\/html/.test(request.headers.accept ?? ''));
    if (!page || !wantsPage) throw new Refused('common.noRoute');
    return this.send(request, reply, page, known ? 200 : 404);
  }

  private async send(request: FastifyRequest, reply: FastifyReply, file: string, status: number): Promise<void> {
    let loading = this.kept.get(file);
    if (!loading) {
      loading = load(file);
      this.kept.set(file, loading);
    }
    const served = await loading;
    reply
      .code(status)
      .header('content-type', served.type)
      .header('etag', served.etag)
      .header('vary', 'accept-encoding')
      .header('cache-control', served.immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
    if (request.headers['if-none-match'] === served.etag && status === 200) return void (await reply.code(304).send());
    const accepted = String(request.headers['accept-encoding'] ?? '');
    if (served.br && /\bbr\b/.test(accepted))
      return void (await reply.header('content-encoding', 'br').send(served.br));
    if (served.gzip && /\bgzip\b/.test(accepted))
      return void (await reply.header('content-encoding', 'gzip').send(served.gzip));
    await reply.send(served.plain);
  }

  private list(): void {
    const now = performance.now();
    if (now - this.listedAt < LISTED_MS) return;
    this.listedAt = now;
    const index = join(this.folder, 'index.html');
    const stamp = existsSync(index) ? String(statSync(index).mtimeMs) : '';
    if (stamp === this.stamp) return;
    this.stamp = stamp;
    this.kept.clear();
    this.files = new Map(
      stamp === ''
        ? []
        : readdirSync(this.folder, { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile())
            .map((entry) => {
              const file = join(entry.parentPath, entry.name);
              return [`/${relative(this.folder, file).split(sep).join('/')}`, file];
            }),
    );
    this.pageOf = readAddresses(this.files.get(ADDRESSES), this.examples);
  }
}

/** An address; `example`: its page exists only where the example runs; `page`: the file of a page of its own. */
type Listed = string | { readonly path: string; readonly example?: string; readonly page?: string };

/**
 * The page of an address, undefined when it has no screen. A part `:name` of a listed one matches anything without a
 * slash. A folder that is not our build has no list: then its page is served at the root only.
 */
function readAddresses(file: string | undefined, examples: readonly string[]): (path: string) => string | undefined {
  const listed = file === undefined ? ['/'] : (JSON.parse(readFileSync(file, 'utf8')) as Listed[]);
  const pages = listed.flatMap((one): [string, string][] => {
    if (typeof one === 'string') return [[one, COMMON_PAGE]];
    if (one.example !== undefined && !examples.includes(one.example)) return [];
    return [[one.path, one.page === undefined ? COMMON_PAGE : `/${one.page}`]];
  });
  const exact = new Map(pages.filter(([path]) => !path.includes(':')));
  const open = pages.flatMap(([path, page]) => (path.includes(':') ? [{ parts: path.split('/'), page }] : []));
  const fits = (wanted: readonly string[], parts: readonly string[]): boolean =>
    wanted.length === parts.length &&
    wanted.every((part, at) => part === parts[at] || (part.startsWith(':') && parts[at] !== ''));
  return (path) => exact.get(path) ?? open.find(({ parts }) => fits(parts, path.split('/')))?.page;
}

async function load(file: string): Promise<Served> {
  const plain = await readFile(file);
  const extension = extname(file);
  const packed = COMPRESSED.has(extension) && plain.length > 1_000;
  const [br, gz] = packed
    ? await Promise.all([brotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }), gzipped(plain)])
    : [null, null];
  return {
    plain,
    br,
    gzip: gz,
    type: TYPES[extension] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    immutable: extension !== '.html' && HASHED.test(file) && /[\\/]assets[\\/]/.test(file),
  };
}
const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
