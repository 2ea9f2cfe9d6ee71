export { SERVICE, SpotMatchingModule } from './spot-matching.module.js';
