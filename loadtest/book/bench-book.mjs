// npm run bench:book. The product's book beside its peers, on the same commands, in one interleaved run (A, B, C, A, B,
// C …), each measurement a process of its own. A peer that cannot be built here is named with the reason. Options:
// --rounds N (3), --commands N (1000000).
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { generate } from './gen.mjs';
import { PeerMissing, PEERS } from './peers.mjs';
import { compareTotals, minimumAndMedian } from './totals.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, '..', '..');
const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};
const rounds = option('rounds', 3);
const commands = option('commands', 1_000_000);
const P99_GOAL_NS = 1000;

/**
 * One process of a core: CPU rates always; latency and totals only in the first round, as they cost further replays.
 */
function measure(core, folder, prefill, round) {
  const first = round === 0 ? '1' : '0';
  const args = [
    ...core.args,
    folder,
    String(core.warm),
    String(core.runs),
    core.warm > 0 ? first : '0',
    first,
    String(prefill),
  ];
  return JSON.parse(
    execFileSync(core.program, args, {
      encoding: 'utf8',
      cwd: here,
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 1 << 24,
    }),
  );
}

function prepare(peer) {
  try {
    return { ...peer, ...peer.prepare(), results: [] };
  } catch (error) {
    if (!(error instanceof PeerMissing)) throw error;
    return { ...peer, missing: error.message };
  }
}

const million = (perSecond) => (perSecond / 1e6).toFixed(perSecond < 1e6 ? 3 : 1);
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'bourse-book-'));
try {
  execFileSync('npm', ['run', 'build', '-w', 'services/spot-matching'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  const { records, meta } = generate({ seed: 42, commands });
  fs.writeFileSync(path.join(scratch, 'workload.bin'), records);
  fs.writeFileSync(path.join(scratch, 'expected.json'), JSON.stringify(meta));

  const ours = {
    program: process.execPath,
    args: ['--expose-gc', path.join(here, 'bench.mjs'), 'core-bourse'],
    warm: 2,
    runs: 3,
    results: [],
  };
  const peers = PEERS.map(prepare);
  const present = peers.filter((peer) => !peer.missing);
  for (let round = 0; round < rounds; round++) {
    for (const core of [ours, ...present]) core.results.push(measure(core, scratch, meta.prefill, round));
    process.stderr.write(`round ${round + 1} of ${rounds}\n`);
  }

  const rate = (core) => minimumAndMedian(core.results.flatMap((result) => result.cpu));
  const own = rate(ours);
  const first = ours.results[0];
  const totals = compareTotals(meta.expected, first.totals);
  const report = {
    unit: 'commands per CPU second of the process, one thread',
    at: new Date().toISOString(),
    machine: `${os.cpus().length} × ${os.cpus()[0].model.trim()}`,
    node: process.version,
    commands,
    rounds,
    bourse: {
      ...own,
      totalsEqual: totals.equal.length === Object.keys(meta.expected).length,
      latencyNs: { p50: first.lat.p50, p99: first.lat.p99, timer: first.lat.timer },
      latencyGoalNs: P99_GOAL_NS,
      heapBytesPerCommand: minimumAndMedian(ours.results.map((result) => result.heapBytesPerCommand)).median,
      heapKeptBytes: minimumAndMedian(ours.results.map((result) => result.heapKept)).median,
    },
    peers: peers.map(({ name, version, language, from, goal, note, missing, results }) => {
      if (missing) return { name, version, language, from, goal, missing };
      const measured = rate({ results });
      const { equal, differ, untold } = compareTotals(meta.expected, results[0].totals);
      return {
        name,
        version,
        language,
        from,
        goal,
        ...measured,
        ratio: Math.round((own.median / measured.median) * 100) / 100,
        latencyNs: results[0].lat,
        totals: { equal, differ, untold, note },
      };
    }),
  };
  console.log(
    '| book | median M/s | minimum M/s | ours is | goal | p50 / p99 ns | totals equal |\n|---|---|---|---|---|---|---|',
  );
  console.log(
    `| **Bourse** | ${million(own.median)} | ${million(own.minimum)} | | | ${first.lat.p50} / ` +
      `${first.lat.p99} | ${totals.equal.length} of ${Object.keys(meta.expected).length} |`,
  );
  for (const peer of report.peers) {
    const name = `${peer.name} ${peer.version} (${peer.language})`;
    if (peer.missing) console.log(`| ${name} | not measured: ${peer.missing} | | | ${peer.goal} × | | |`);
    else
      console.log(
        `| ${name} | ${million(peer.median)} | ${million(peer.minimum)} | ${peer.ratio} × | ${peer.goal} × | ` +
          `${peer.latencyNs ? `${peer.latencyNs.p50} / ${peer.latencyNs.p99}` : ''} | ${peer.totals.equal.length} ` +
          `of ${peer.totals.equal.length + peer.totals.differ.length} told |`,
      );
  }
  console.log(
    `Heap over ${commands} commands: ${report.bourse.heapBytesPerCommand} bytes allocated a command, ` +
      `${report.bourse.heapKeptBytes} bytes kept in all after a collection.`,
  );
  for (const peer of report.peers) {
    for (const { name, expected, got } of peer.totals?.differ ?? [])
      console.log(`${peer.name}: ${name} is ${got}, the reference's ${expected}.`);
    if (peer.totals?.untold.length)
      console.log(
        `${peer.name} does not tell ${peer.totals.untold.join(', ')}` +
          `${peer.totals.note ? `: ${peer.totals.note}` : ''}.`,
      );
  }
  fs.writeFileSync(path.join(here, 'last-run.json'), `${JSON.stringify(report, null, 2)}\n`);
  if (!report.bourse.totalsEqual) process.exitCode = 1;
} finally {
  fs.rmSync(scratch, { recursive: true, force: true });
}
