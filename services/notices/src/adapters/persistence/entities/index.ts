import { PARTS } from '../../../parts/index.js';

/** The tables of this service that are read and written as rows. */
export const NOTICES_ENTITIES = PARTS.flatMap(({ entities }) => entities);
