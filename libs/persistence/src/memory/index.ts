export { MemoryDatabase, MemoryDatabases, MemoryLink, MemoryTx } from './database.js';
export { MemoryError, MemoryServer, ServerSession, type MemoryServerOptions, type Statement } from './server.js';
export { rejectUnused } from './unused.js';
