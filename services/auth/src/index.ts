export { AuthModule, SERVICE } from './auth.module.js';
