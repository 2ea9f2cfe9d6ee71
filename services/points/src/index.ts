export { PointsModule, SERVICE } from './points.module.js';
/** For `bourse migrate`. */
export { MIGRATIONS } from './migrations.js';
