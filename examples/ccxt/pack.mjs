// `node examples/ccxt/pack.mjs <folder>`: packs the driver and the SDK as two tarballs in `folder`, which install
// without this clone. ccxt itself is a peer dependency.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const own = fileURLToPath(new URL('./', import.meta.url));
const root = join(own, '../..');
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Say where: node examples/ccxt/pack.mjs <folder>');
  process.exit(1);
}
const target = resolve(folder);
const { version, license, homepage, repository, engines } = JSON.parse(
  readFileSync(join(root, 'libs/sdk/package.json'), 'utf8'),
);
const { dependencies } = JSON.parse(readFileSync(join(root, 'services/market-data/package.json'), 'utf8'));
const manifest = {
  name: '@bourse/ccxt',
  version,
  type: 'module',
  description: 'Bourse for ccxt: the class that bots load',
  license,
  homepage,
  repository: { ...repository, directory: 'examples/ccxt' },
  engines,
  exports: { '.': { types: './bourse.d.mts', default: './bourse.mjs' } },
  files: ['bourse.mjs', 'bourse.d.mts'],
  dependencies: { '@bourse/sdk': version },
  peerDependencies: { ccxt: dependencies.ccxt },
  sideEffects: false,
};

const stage = mkdtempSync(join(tmpdir(), 'bourse-pack-'));
try {
  mkdirSync(target, { recursive: true });
  execFileSync(process.execPath, [join(root, 'libs/sdk/pack.mjs'), target], { stdio: ['ignore', 1, 2] });
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const name of manifest.files) copyFileSync(join(own, name), join(stage, name));
  copyFileSync(join(root, 'LICENSE'), join(stage, 'LICENSE'));
  // The tarball has no other file of the repository: links of the page lead to its address.
  const files = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/v${version}`;
  const page = readFileSync(join(root, 'docs/ccxt.md'), 'utf8');
  const linked = page.replaceAll(/\]\((?!https?:|#)(\.\.\/)?/g, (_, up) => `](${files}/${up ? '' : 'docs/'}`);
  writeFileSync(join(stage, 'README.md'), linked);
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  execFileSync(npm, ['pack', '--silent', '--pack-destination', target], { cwd: stage, stdio: ['ignore', 1, 2] });
} finally {
  rmSync(stage, { recursive: true, force: true });
}
