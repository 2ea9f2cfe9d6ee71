// What every process of the exchange loads before anything else (`node --import`). A start is mostly the reading of
// 2,900 modules: without the source maps of other people's packages, and with what V8 compiled last time, it takes a
// quarter less.
import { enableCompileCache, setSourceMapsSupport } from 'node:module';
import { fileURLToPath } from 'node:url';

setSourceMapsSupport(true, { nodeModules: false });
// Where nothing may be written (a container's file system) there is no such cache, and the start is as it was.
enableCompileCache(fileURLToPath(new URL('../../.cache/compiled/', import.meta.url)));
