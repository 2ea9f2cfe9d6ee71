import type { DynamicModule, Type } from '@nestjs/common';

/** Every service of the exchange, in this one process. */
export const SERVICE_MODULES: readonly (DynamicModule | Type)[] = [];
