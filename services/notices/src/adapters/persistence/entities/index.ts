import { NewsItemEntity, NewsTextEntity } from './news.entity.js';

/** The tables of this service that are read and written as rows: all of them. */
export const NOTICES_ENTITIES = [NewsItemEntity, NewsTextEntity];
