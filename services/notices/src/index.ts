export { NoticesModule, SERVICE } from './notices.module.js';
