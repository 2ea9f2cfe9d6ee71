// `npm run loadtest`: starts an exchange of its own, seeds people, runs k6 against it and reconciles; a run that does
// not reconcile fails.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readArguments } from '../tools/lib/arguments.mjs';
import { ensureBuilt, fail, progress, underNode24 } from '../tools/lib/clone.mjs';
import { stopAll } from '../tools/lib/processes.mjs';
import { seedInstall } from '../tools/lib/seed-install.mjs';
import { findK6, k6Version } from './lib/k6.mjs';
import { readMarkets } from './lib/markets.mjs';
import { readNotes, refusals } from './lib/notes.mjs';
import { effects, reconcile, waitForAudit } from './lib/reconcile.mjs';
import { table, writeResult } from './lib/results.mjs';
import { Stand } from './lib/stand.mjs';
import { SCENARIOS } from './scenarios.mjs';

const IDLE_SECONDS = 10;
/** Figures that are read from processes: of an exchange that runs already there are none. */
const OF_PROCESSES = /CPU|memory/;

const NAMES = Object.entries(SCENARIOS)
  .map(([one, { what }]) => `  ${one.padEnd(14)}${what}`)
  .join('\n');
const USAGE = `Usage: npm run loadtest -- <scenario> [options]

Starts an exchange of its own, seeds people, runs k6 against it, and reconciles; what does not reconcile fails. An
exchange of which you know the address alone is loaded by the scripts of loadtest/k6.

${NAMES}

  --embedded      one process (where nothing else is said)
  --distributed   one process per service, with Kafka and Redis
  --url U         an exchange that runs already, with --data-dir D: the folder in which it keeps its data
  --users N       people who are seeded
  --clients N     people who act at once
  --rate N        what comes each second, where a scenario has a rate
  --orders N      orders in all, where a scenario has a number of them
  --duration S    seconds of each stage`;
const { values, positionals } = readArguments(USAGE, {
  allowPositionals: true,
  options: {
    embedded: { type: 'boolean' },
    distributed: { type: 'boolean' },
    url: { type: 'string' },
    'data-dir': { type: 'string' },
    users: { type: 'string' },
    duration: { type: 'string' },
    clients: { type: 'string' },
    rate: { type: 'string' },
    orders: { type: 'string' },
  },
});
const [name] = positionals;
const scenario = SCENARIOS[name];
if (!scenario) fail(`Say which scenario: npm run loadtest -- <name>\n${NAMES}`);
if (!underNode24()) fail('Run it through npm: npm run loadtest');
const mode = values.distributed ? 'distributed' : values.url ? 'given' : 'embedded';
if (values.url && !values['data-dir'])
  fail(
    'With --url, say with --data-dir where that exchange keeps its data: people are seeded and the outcome is ' +
      'compared there. An exchange of which you know the address alone is loaded by the scripts of loadtest/k6.',
  );
if (scenario.embeddedOnly && mode !== 'embedded') fail(`${name} runs on an embedded exchange of its own.`);
const number = (given, fallback) => (given === undefined ? fallback : Number(given));

/** An exchange that runs already: it is neither started nor measured nor ended. */
class GivenStand {
  constructor(url, dataDir) {
    this.url = url;
    this.dataDir = resolve(dataDir);
  }
  /** @throws Error when no exchange answers at the address: nobody is seeded then */
  async start() {
    const answer = await fetch(`${this.url}/api/config`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
    if (answer?.ok !== true) fail(`No exchange answers at ${this.url}.`);
    return 0;
  }
  cpu() {
    return {};
  }
  memory() {
    return {};
  }
  async end() {
    progress('The exchange runs on.');
  }
}

async function main() {
  await ensureBuilt();
  const k6 = await findK6();
  const folder = mkdtempSync(join(tmpdir(), 'bourse-load-k6-'));
  const stand = values.url
    ? new GivenStand(values.url, values['data-dir'])
    : new Stand({ distributed: mode === 'distributed', maker: scenario.maker === true });
  try {
    const startMs = await stand.start();
    progress(`The exchange is ready at ${stand.url} (${mode}).`);
    const users = number(values.users, scenario.users);
    let idleMb = {};
    if (name === 'memory') {
      await new Promise((done) => {
        setTimeout(done, IDLE_SECONDS * 1000);
      });
      idleMb = stand.memory();
    }
    const { people } = await seedInstall({
      users,
      dataDir: values.url ? values['data-dir'] : stand.folder,
      sessions: true,
    });
    const tokens = join(folder, 'tokens.json');
    writeFileSync(tokens, JSON.stringify(people), { mode: 0o600 });
    progress(`${users} people are seeded and signed in.`);

    const problems = [];
    const before = await effects(stand.dataDir);
    const world = {
      stand,
      k6,
      folder,
      mode,
      users,
      tokens,
      firstToken: people[0].token,
      markets: await readMarkets(),
      run: Date.now().toString(36),
      notes: [],
      idleMb,
      startMs,
      seconds: number(values.duration, scenario.seconds),
      clients: number(values.clients, scenario.clients),
      rate: number(values.rate, scenario.rate),
      orders: number(values.orders, scenario.orders),
      check: (fine, problem) => {
        if (!fine) problems.push(problem);
      },
      /** How long until the auditor finds nothing open, ms. */
      settle: async () => {
        const begun = Date.now();
        problems.push(...(await waitForAudit(stand.url)));
        return Date.now() - begun;
      },
    };
    const rows = (await scenario.run(world)).filter(({ name: figure }) => !values.url || !OF_PROCESSES.test(figure));
    const notes = readNotes(world.notes.join(''));
    const checked = await reconcile(stand.url, stand.dataDir, withFirst(notes, name), before);
    problems.push(...checked.wrong);
    // Nothing breaks on purpose here: an exchange that turns people away has no figures.
    const away = refusals(notes)['common.unavailable'] ?? 0;
    if (away > checked.orders / 100)
      problems.push(`${away} commands were refused for want of a part (common.unavailable)`);
    const ok = problems.length === 0;
    const result = {
      scenario: name,
      what: scenario.what,
      mode,
      k6: k6Version(k6),
      users,
      startMs,
      rows,
      reconciled: ok,
      orders: checked.orders,
      openOrders: checked.openOrders,
      positions: checked.positions,
      contracts: checked.contracts,
      deals: checked.deals,
      resolvedUnknown: checked.happened,
      refusals: refusals(notes),
      problems,
    };
    console.log(`\n${scenario.what} (${mode})\n${table(rows)}`);
    console.log(
      `Refusals: ${JSON.stringify(result.refusals)}. ${checked.orders} orders in all, ${checked.openOrders} ` +
        `open; ${checked.positions} positions, ${checked.contracts} contracts with their results, ` +
        `${checked.deals} deals; ` +
        `${checked.happened} without an answer turned out to have happened.`,
    );
    console.log(
      ok
        ? 'Reconciled: every invariant holds, and the exchange agrees with the log of the generator.'
        : `NOT RECONCILED:\n${problems.map((one) => `  ${one}`).join('\n')}`,
    );
    if (!values.url) progress(`Written: ${writeResult(mode === 'embedded' ? name : `${name}-distributed`, result)}`);
    // Refusals because a part is down, and failures, are explained by the exchange's own log.
    if (!ok || result.refusals['common.unavailable']) console.log(`The exchange said:\n${stand.said?.() ?? ''}`);
    if (!ok) process.exitCode = 1;
  } catch (error) {
    console.error(stand.said?.() ?? '');
    throw error;
  } finally {
    await stand.end();
    await stopAll();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The order with which the restart is timed is the runner's own; it has no name. */
function withFirst(notes, scenarioName) {
  if (scenarioName === 'restart') notes.orders.set('', { outcome: 'unknown', id: undefined });
  return notes;
}

main().catch((error) => fail(process.env.DEBUG ? error.stack : error.message));
