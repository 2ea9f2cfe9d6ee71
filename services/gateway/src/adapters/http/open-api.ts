import { Injectable } from '@nestjs/common';
import { OpenApi, Unavailable } from '@bourse/platform';
import { Routes } from './routes.js';

interface Document {
  readonly paths: Record<string, unknown>;
  readonly components?: { readonly schemas?: Record<string, unknown> };
}

/** OpenAPI of the whole exchange: this process's own and that of every service, under one head. */
@Injectable()
export class OpenApiOfAll {
  constructor(
    private readonly own: OpenApi,
    private readonly routes: Routes,
  ) {}

  async document(): Promise<object> {
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
    const paths = Object.assign({}, own.paths, ...others.map((other) => other.paths)) as Record<string, unknown>;
    for (const path of ['/healthz', '/readyz', '/metrics']) paths[path] = own.paths[path];
    const schemas = Object.assign({}, ...[...others, own].map((other) => other.components?.schemas ?? {})) as Record<
      string,
      unknown
    >;
    return { ...own, paths, components: { ...own.components, schemas } };
  }
}
