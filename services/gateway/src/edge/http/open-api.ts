import { Injectable } from '@nestjs/common';
import { Config, OpenApi, Unavailable } from '@bourse/platform';
import { VERSION } from '../../version.js';
import { Routes } from './routes.js';

type Paths = Record<string, Record<string, { readonly 'x-call'?: { readonly auth: string } }>>;
interface Document {
  readonly info: object;
  readonly paths: Paths;
  readonly components?: { readonly schemas?: Record<string, unknown> };
}

/** Calls of operators, including their sign-in. */
const OPERATORS = '/api/admin/';

/** OpenAPI of the whole exchange: the documents of this process and of every service, merged. */
@Injectable()
export class OpenApiOfAll {
  constructor(
    private readonly own: OpenApi,
    private readonly routes: Routes,
    private readonly config: Config,
  ) {}

  /**
   * The public document: everything except the calls of operators, and except the demo calls on any other install
   * [HARD-308].
   */
  async public(): Promise<object> {
    return this.of((auth, path) => !path.startsWith(OPERATORS) && (auth !== 'dev' || this.config.dev));
  }

  /** The document for operators, with their calls. */
  async whole(): Promise<object> {
    return this.of((auth) => auth !== 'dev' || this.config.dev);
  }

  private async of(shown: (auth: string, path: string) => boolean): Promise<object> {
    const own = this.own.document() as unknown as Document;
    const others = await Promise.all(
      this.routes.services().map(async ({ service, base }) => {
        try {
          return (await this.routes.read(service, base, '/internal/openapi')) as Document;
        } catch (error) {
          throw new Unavailable(`OpenAPI of ${service}: ${String(error)}`);
        }
      }),
    );
    // Our own paths last: every process has calls for its health.
    const all = Object.assign({}, ...others.map((other) => other.paths), own.paths) as Paths;
    const paths = Object.fromEntries(
      Object.entries(all).flatMap(([path, methods]) => {
        const kept = Object.entries(methods).filter(([, told]) => shown(told['x-call']?.auth ?? 'public', path));
        return kept.length > 0 ? [[path, Object.fromEntries(kept)]] : [];
      }),
    );
    const known = Object.assign({}, ...[...others, own].map((other) => other.components?.schemas ?? {})) as Record<
      string,
      unknown
    >;
    const schemas = namedBy(paths, known);
    return { ...own, info: { ...own.info, version: VERSION }, paths, components: { ...own.components, schemas } };
  }
}

/** The schemas that calls name, and transitively those that these name. */
function namedBy(paths: Paths, known: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const named: Record<string, unknown> = {};
  const follow = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (Object.hasOwn(named, name) || !Object.hasOwn(known, name)) continue;
      named[name] = known[name];
      follow(known[name]);
    }
  };
  follow(paths);
  return named;
}
