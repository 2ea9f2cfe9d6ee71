import { EXAMPLE_SCHEMAS, SERVICE_SCHEMAS } from './services.generated.js';

export {
  EDGE_SERVICE,
  EXAMPLE_SCHEMAS,
  PICTURE_READERS,
  PRICE_SOURCES,
  SECRET_OWNERS,
  SEED_MARKS,
  SERVICE_SCHEMAS,
} from './services.generated.js';

/** A service of the exchange, or one of the examples. Process, key, login and schema have its name. */
export type ServiceName = keyof (typeof SERVICE_SCHEMAS & typeof EXAMPLE_SCHEMAS);
/** The services of a production exchange: each has a key, a login and a schema. */
export const SERVICE_NAMES = Object.keys(SERVICE_SCHEMAS) as readonly (keyof typeof SERVICE_SCHEMAS)[];

/** The schema of a service, an example's too. */
export const schemaOf = (service: ServiceName): string => ({ ...SERVICE_SCHEMAS, ...EXAMPLE_SCHEMAS })[service];
