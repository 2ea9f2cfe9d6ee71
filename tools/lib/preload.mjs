// What every process of the exchange loads before anything else (`node --import`). A start is mostly the reading and
// compiling of modules: with what V8 compiled last time it takes a quarter less.
import { enableCompileCache, flushCompileCache, setSourceMapsSupport } from 'node:module';
import { fileURLToPath } from 'node:url';

setSourceMapsSupport(true, { nodeModules: false });
// Where nothing may be written (a container's file system) there is no such cache, and the start is as it was.
enableCompileCache(fileURLToPath(new URL('../../.cache/compiled/', import.meta.url)));
// Node writes it at the end of the process, and a process that is killed has none.
setTimeout(flushCompileCache, 5_000).unref();
