// Joins the client with the parts of ours that it is made of into dist/index.js, which needs socket.io-client alone,
// and writes its types beside it, which need nothing.
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import ts from 'typescript';

const own = fileURLToPath(new URL('./', import.meta.url));
const out = join(own, 'dist');

await build({
  absWorkingDir: own,
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

const { config } = ts.readConfigFile(join(own, 'tsconfig.json'), ts.sys.readFile);
const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, own);
const program = ts.createProgram(fileNames, {
  ...options,
  noEmit: false,
  declaration: true,
  emitDeclarationOnly: true,
  outDir: out,
});
mkdirSync(out, { recursive: true });
for (const name of readdirSync(out)) if (name.endsWith('.d.ts')) rmSync(join(out, name));
/** The types of the calls, which are published with the package: interfaces alone, so the source is its declaration. */
const CALLS = 'calls.generated';
copyFileSync(join(own, `../contract/src/${CALLS}.ts`), join(out, `${CALLS}.d.ts`));
const { diagnostics } = program.emit(undefined, (file, emitted, _mark, _error, sources) => {
  // Parts of ours are joined into the program; that the types name none of them is checked here.
  if (dirname(sources?.[0]?.fileName ?? '') !== join(own, 'src')) return;
  const text = emitted.replaceAll(`'@bourse/contract/calls'`, `'./${CALLS}.js'`);
  const named = /(?:from|import\()\s*['"](@bourse\/[^'"]+)/.exec(text)?.[1];
  if (named) throw new Error(`${basename(file)} names ${named}, which is not published`);
  writeFileSync(join(out, basename(file)), text);
});
if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, ts.createCompilerHost(options)));
