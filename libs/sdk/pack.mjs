// `npm run pack -w @bourse/sdk [-- <folder>]`: the package as others install it, without this clone: a tarball of the
// build in `folder`, else in dist. Its manifest omits the fields that concern the workspace alone.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const own = fileURLToPath(new URL('./', import.meta.url));
const dist = join(own, 'dist');
const target = resolve(process.argv[2] ?? dist);
const stage = mkdtempSync(join(tmpdir(), 'bourse-pack-'));

try {
  mkdirSync(join(stage, 'dist'));
  for (const name of readdirSync(dist))
    if (/\.(js|d\.ts)$/.test(name)) copyFileSync(join(dist, name), join(stage, 'dist', name));
  const manifest = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
  for (const field of ['private', 'scripts', 'nx', 'devDependencies']) delete manifest[field];
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(join(own, '../../LICENSE'), join(stage, 'LICENSE'));
  // Nothing else of the repository comes along: links of the page lead into it.
  const files = `${manifest.repository.url.replace(/^git\+|\.git$/g, '')}/blob/v${manifest.version}/`;
  const page = readFileSync(join(own, 'README.md'), 'utf8');
  writeFileSync(join(stage, 'README.md'), page.replaceAll('](../../', `](${files}`));
  mkdirSync(target, { recursive: true });
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  execFileSync(npm, ['pack', '--silent', '--pack-destination', target], { cwd: stage, stdio: ['ignore', 1, 2] });
} finally {
  rmSync(stage, { recursive: true, force: true });
}
