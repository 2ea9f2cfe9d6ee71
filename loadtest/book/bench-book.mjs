// npm run bench:book. The product's book beside nodejs-order-book (npm), on the same commands, in one interleaved run (A, B, A, B …),
// each run a process of its own. The peer is measured once per process, without warming up: its run takes many seconds.
// Options: --rounds N (3), --commands N (1000000).
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { generate } from './gen.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, '..', '..');
const option = (name, fallback) => { const at = process.argv.indexOf(`--${name}`); return at < 0 ? fallback : Number(process.argv[at + 1]); };
const rounds = option('rounds', 3);
const commands = option('commands', 1_000_000);
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'bourse-book-'));

function workload(name, options) {
  const folder = path.join(scratch, name);
  fs.mkdirSync(folder);
  const { records, meta } = generate(options);
  fs.writeFileSync(path.join(folder, 'workload.bin'), records);
  fs.writeFileSync(path.join(folder, 'expected.json'), JSON.stringify(meta));
  return folder;
}
function run(core, folder, warm, runs, latency) {
  const line = execFileSync(process.execPath, ['--expose-gc', path.join(here, 'bench.mjs'), core, folder, String(warm), String(runs), String(latency)], { encoding: 'utf8', cwd: here });
  return JSON.parse(line);
}
const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const median = (numbers) => sorted(numbers)[numbers.length >> 1];
const million = (perSecond) => (perSecond / 1e6).toFixed(perSecond < 1e6 ? 3 : 1);

try {
  execFileSync('npm', ['run', 'build', '-w', 'services/spot-matching'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' });
  const folder = workload('workload', { seed: 42, commands });
  const ours = [], peer = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(run('core-bourse', folder, 2, 3, 1));
    peer.push(run('core-nodejs-order-book', folder, 0, 1, 0));
    process.stderr.write(`round ${round + 1} of ${rounds}\n`);
  }
  const rate = (results) => ({ minimum: Math.min(...results.flatMap((result) => result.cpu)), median: median(results.flatMap((result) => result.cpu)) });
  const latency = (name) => median(ours.map((result) => result.lat[name]));
  const report = {
    unit: 'commands per CPU second, one thread', node: process.version, at: new Date().toISOString(), commands, rounds,
    bourse: { ...rate(ours), totalsEqual: ours.every((result) => result.ok), latencyNs: { p50: latency('p50'), p99: latency('p99') }, heapBytesPerCommand: median(ours.map((result) => result.heapBytesPerCommand)) },
    nodejsOrderBook: rate(peer), ratio: Math.round(rate(ours).median / rate(peer).median),
    peerDiffers: peer[0].bad,
  };
  console.log('| book | median M/s | minimum M/s | ratio | p50 ns | p99 ns |\n|---|---|---|---|---|---|');
  console.log(`| Bourse | ${million(report.bourse.median)} | ${million(report.bourse.minimum)} | ${report.ratio} | ${latency('p50')} | ${latency('p99')} |`);
  console.log(`| nodejs-order-book 10.1.1 | ${million(report.nodejsOrderBook.median)} | ${million(report.nodejsOrderBook.minimum)} | 1 | | |`);
  console.log(`All 13 totals equal to the reference: ${report.bourse.totalsEqual ? 'yes' : 'NO'}; ${report.bourse.heapBytesPerCommand} heap bytes per command.`);
  fs.writeFileSync(path.join(here, 'last-run.json'), `${JSON.stringify(report, null, 2)}\n`);
  if (!report.bourse.totalsEqual) process.exitCode = 1;
} finally {
  fs.rmSync(scratch, { recursive: true, force: true });
}
