import { Injectable, type INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

/** OpenAPI of this process, made from its controllers when first asked for. */
@Injectable()
export class OpenApi {
  private app: INestApplication | undefined;
  private made: OpenAPIObject | undefined;

  bind(app: INestApplication): void {
    this.app = app;
  }

  document(): OpenAPIObject {
    if (!this.app) throw new Error('invariant: OpenAPI was asked for before the application was bound');
    this.made ??= this.make(this.app);
    return this.made;
  }

  private make(app: INestApplication): OpenAPIObject {
    const spec = new DocumentBuilder()
      .setTitle('Bourse')
      .setDescription('Calls of the exchange. Every answer is an envelope: `type`, `message`, `key`, `request_id`.')
      .setVersion('1')
      .addApiKey({ type: 'apiKey', in: 'header', name: 'Authorization' }, 'token')
      .build();
    const document = SwaggerModule.createDocument(app, spec);
    for (const path of Object.keys(document.paths)) if (path.startsWith('/internal/')) delete document.paths[path];
    return document;
  }
}
