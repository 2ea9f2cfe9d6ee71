// Joins the client with the parts of ours that it is made of into dist/index.js, which needs socket.io-client alone.
import { build } from 'esbuild';

await build({
  entryPoints: ['src/index.ts'],
  outfile: 'dist/index.js',
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  target: 'es2022',
  external: ['socket.io-client'],
  sourcemap: false,
  legalComments: 'none',
  logLevel: 'warning',
});
