export { SERVICE, ServiceTemplateModule } from './service-template.module.js';
/** For `bourse migrate`. */
export { MIGRATIONS } from './adapters/persistence/migrations.js';
