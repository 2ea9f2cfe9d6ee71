import { OperatorActionEntity } from './operator-action.entity.js';

/** The table of this service that is mapped as rows; the others are counters, marks and images. */
export const GATEWAY_ENTITIES = [OperatorActionEntity];
