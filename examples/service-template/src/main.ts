import { bootService } from '@bourse/messaging';
import { SERVICE, ServiceTemplateModule } from './service-template.module.js';

void bootService({ name: SERVICE, module: ServiceTemplateModule });
