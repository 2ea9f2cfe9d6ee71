// docs/benchmarks.md from the results of the last runs. Pure: text in, text out.
import { comparisonTable } from './compare.mjs';
import { round, table } from './results.mjs';

const TITLES = {
  orders: 'Order flow on one hot market',
  keyed: 'Order flow with keys',
  many: 'Order flow over many markets',
  bursts: 'Order flow in bursts',
  day: 'A mixed day',
  sockets: 'Sockets',
  signin: 'Sign-in storm',
  soak: 'Soak',
  scale: 'Does cost grow linearly?',
  restart: 'Restart',
  memory: 'Start and memory',
};
const LIMITS = {
  orders:
    'Each order is a row of the journal, a row of the book and its stream rows; full load is bounded by the CPU ' +
    'of the exchange and the database, which the generator shares. Half load shows what an order waits for: two ' +
    'commits in a row, the hold and the book, each of few orders; a process that sleeps is woken for each message ' +
    '(0.14 to 0.2 ms a write), so that a command costs more than twice what it does at full load.',
  keyed: 'Beside the order its key is looked up; a cancel claims its key first and keeps its answer with its effect.',
  many:
    'Markets share a partition, so that nine of them cost what one does; a ' +
    'market more costs its part of the published views.',
  bursts: 'What comes at once is answered in batches; the last of a burst waits for all before it.',
  day: "Reads of one's own go to the database; public reads come from memory. Makers quote nine markets all the while.",
  sockets:
    "A trade is encoded once and written to each socket; the writes and the generator's reading of them are the cost.",
  signin:
    'A sign-in hashes 19 MiB twice over; one core less than the machine has does ' +
    'nothing else, and who finds the queue full is told so (503).',
  soak: 'The same load in four parts: what grows from part to part grows with time.',
  scale: 'The same load a second at four sizes of everything else. What is flat does not depend on how many there are.',
  restart: 'Recovery of the database, the start of the process, and the reading of every open order into the books.',
  memory: 'The proportional share (PSS) of all processes, shared pages counted once.',
};
const BESIDE = 'One person beside another who sends 40 calls a second';
const million = (perSecond) => (perSecond / 1e6).toFixed(perSecond < 1e6 ? 3 : 1);
const day = (at) => at.slice(0, 10);
const goalOf = (one) => (typeof one.goal === 'number' ? `≥ ${one.goal}` : one.goal);
const metOf = (one) => one.met ?? (typeof one.goal === 'number' ? one.value >= one.goal : undefined);
/** Rows of other benchmarks give their goal as a number that must be reached. */
const graded = (rows) =>
  rows.map((one) => ({
    ...one,
    value: round(one.value),
    goal: one.goal === undefined || one.goal === null ? undefined : goalOf(one),
    met: metOf(one),
    note: one.note || factsOf(one),
  }));
/** The facts of such a row beside its figure. */
function factsOf({ nodeMicroseconds, postgresMicroseconds, p50, p99, reconciled }) {
  return [
    ...(nodeMicroseconds === undefined
      ? []
      : [`CPU of one: ${round(nodeMicroseconds)} µs Node, ${round(postgresMicroseconds)} µs PostgreSQL`]),
    ...(p50 === undefined ? [] : [`p50 ${round(p50)} ms, p99 ${round(p99)} ms`]),
    ...(reconciled === undefined ? [] : [reconciled ? 'reconciled' : '**not reconciled**']),
  ].join('; ');
}

function bookSection(book) {
  if (!book) return 'Not measured on this tree: `npm run bench:book`.';
  const { bourse, peers } = book;
  const lines = [
    `Commands per CPU second of the process, one thread, ${book.commands.toLocaleString('en')} commands on 50,000 ` +
      `resting orders, ${book.rounds} rounds interleaved. ${day(book.at)}, Node ${book.node}.`,
    '',
    '| book | median M/s | minimum M/s | ours is | goal | p50 / p99 ns | totals |',
    '|---|---|---|---|---|---|---|',
    `| **Bourse** | ${million(bourse.median)} | ${million(bourse.minimum)} | | ≥ 10 ` +
      `M/s${bourse.median >= 1e7 ? ' ✓' : ' ✗'} | ${bourse.latencyNs.p50} / ${bourse.latencyNs.p99} ` +
      `(≤ ${bourse.latencyGoalNs}${bourse.latencyNs.p99 <= bourse.latencyGoalNs ? ' ✓' : ' ✗'}) | ` +
      `${bourse.totalsEqual ? 'all 13 equal' : '**differ**'} |`,
    ...peers.map((peer) =>
      peer.missing
        ? `| ${peer.name} ${peer.version} (${peer.language}) | **not measured** | | ` +
          `| ≥ ${peer.goal} × | | ${peer.missing} |`
        : `| ${peer.name} ${peer.version} (${peer.language}) | ${million(peer.median)} | ${million(peer.minimum)} ` +
          `| ${peer.ratio} × | ≥ ${peer.goal} ×${peer.ratio >= peer.goal ? ' ✓' : ' ✗'} | ` +
          `${peer.latencyNs ? `${peer.latencyNs.p50} / ${peer.latencyNs.p99}` : ''} | ${peer.totals.equal.length} ` +
          `of ${peer.totals.equal.length + peer.totals.differ.length} reported totals are equal |`,
    ),
    '',
    `Heap: ${bourse.heapBytesPerCommand} bytes allocated a command, ` +
      `${bourse.heapKeptBytes.toLocaleString('en')} bytes kept in all after a million.`,
  ];
  for (const peer of peers) {
    for (const { name, expected, got } of peer.totals?.differ ?? [])
      lines.push(`${peer.name} ends with ${name} ${got} where the reference has ${expected}.`);
    if (peer.totals?.untold.length)
      lines.push(
        `${peer.name} does not tell ${peer.totals.untold.join(', ')}` +
          `${peer.totals.note ? `: ${peer.totals.note}` : ''}.`,
      );
    if (!peer.missing && peer.ratio < peer.goal)
      lines.push(
        (
          `Against ${peer.name} the goal is missed: ${peer.ratio} × instead of ` +
          `${peer.goal} ×. ${SHORTFALLS[peer.name] ?? ''}`
        ).trim(),
      );
  }
  return lines.join('\n');
}
const SHORTFALLS = {
  'exchange-core':
    'The harness gives it its best case: warm, one order object and its events used again, nothing checked before it.',
};

/** The cost of an order inside at a fixed rate, step by step. */
function stepsSection(steps) {
  if (!steps?.length) return '';
  return `## An order at a fixed rate, without HTTP

The same orders at the same rate (\`bench-pipeline.mjs --rate N --orders M --detail --step NAME\`), for each order or
cancel. Statements, commits (single statements count as one) and write-ahead log depend little on what else the machine
does, except that a slower machine gathers more orders in a commit; CPU depends on it much.

| step | commands/s | CPU: Node | CPU: PostgreSQL | commits | statements | write-ahead log |
|---|---|---|---|---|---|---|
${steps
  .map(
    (one) =>
      `| ${one.step} | ${one.rate} | ${one.nodeMicroseconds} µs | ${one.postgresMicroseconds} µs | ` +
      `${one.commits.toFixed(2)} | ${one.statements.toFixed(2)} | ${one.walBytes} bytes |`,
  )
  .join('\n')}

`;
}

/** The order of the scenarios; those without a place follow by name. */
const order = Object.keys(TITLES);
const byPlace = (a, b) => order.indexOf(a.scenario) - order.indexOf(b.scenario) || (a.mode < b.mode ? 1 : -1);

/** Returns the whole page from the measured parts; each may be absent. */
export function reportOf({
  book,
  ledger,
  pipeline,
  steps,
  risk,
  neighbours,
  micro,
  savings,
  team,
  terminal,
  compare,
  scenarios,
}) {
  const machine = scenarios[0]?.machine ?? book?.machine ?? 'unknown';
  const section = (title, result, command) =>
    `## ${title}\n\n${result?.rows ? table(graded(result.rows)) : `Not measured on this tree: \`${command}\`.`}\n`;
  return `# Benchmarks

Made by \`npm run bench:report\` from the last runs; \`npm run bench:all\` measures everything again in about a
quarter of an hour. Do not edit.

**Method.** Everything runs on one machine: the exchange, its database, in the distributed run Kafka and Redis too, and
the generator. Books are compared as ratios in one interleaved run per CPU second of the process, so that a busy machine
does not decide. Loads come from k6; its share of the CPU stands beside every figure, for what it takes the exchange
does not get. Answers count only when they are durable. Every load run ends with a reconciliation to the unit and to the
order: all invariants of the auditor, and the generator's own log (each accepted command one effect, each refused none).
A run that does not reconcile fails and its figures stand here with that mark. A goal that is missed stays in the table
with ✗.

**Machine.** ${machine}; Node ${scenarios[0]?.node ?? book?.node ?? ''}.

## The book alone

${bookSection(book)}

The workload and the peers: [loadtest/book](../loadtest/book/README.md).

${compareSection(compare)}
${section('The ledger alone', ledger, 'npm run bench:ledger')}
${section('The pipeline without HTTP', pipeline, 'npm run bench:pipeline')}
${stepsSection(steps)}${section('The risk of 100,000 positions of 20,000 people', risk, 'npm run bench:risk')}
${section(BESIDE, neighbours, 'npm run bench:neighbours')}${neighboursMethod(neighbours)}
${section('10,000 seconds contracts that expire in one second', micro, 'npm run bench:micro')}
${section('100,000 fixed terms that end with one midnight', savings, 'npm run bench:savings')}
${section('Trees of a team of 100,000 members', team, 'npm run bench:team')}
${section('The terminal in a browser', terminal, 'npm run bench:terminal')}${terminalMethod(terminal)}
${[...scenarios].sort(byPlace).map(scenarioSection).join('\n')}`;
}

function terminalMethod(terminal) {
  if (!terminal) return '';
  const { at, rounds, floodMs, shared } = terminal;
  const others = shared ? ' Other work used the machine meanwhile.' : '';
  return (
    `\n${day(at)}. Chromium without a window beside the exchange, by HTTP/1.1. Times are medians of ${rounds} visits ` +
    `without a cache, frames those of ${floodMs / 1_000} s; scripts count with gzip 9.${others}\n`
  );
}

function neighboursMethod(neighbours) {
  if (!neighbours) return '';
  const { at, rounds, windowMs, shared } = neighbours;
  const others = shared ? ' Other work used both cores of the machine meanwhile.' : '';
  return (
    `\n${day(at)}. Medians of ${rounds} rounds; in each a window of ${windowMs / 1_000} s without other calls, one ` +
    `with a third person's, and one with the owner's.${others}\n`
  );
}

function compareSection(compare) {
  const title = '## An order against an earlier commit';
  if (!compare) return `${title}\n\nNot measured on this tree: \`npm run bench:compare -- <commit>\`.\n`;
  const { before, after, rounds, rows, at, machine } = compare;
  return `${title}

Both commits under the same k6 scripts, interleaved (rounds: ${rounds}); a ratio above 1 is better.
${before.slice(0, 12)} before, ${after.slice(0, 12)} after, ${day(at)}, ${machine}.

${comparisonTable(rows)}
`;
}

function scenarioSection(result) {
  const { scenario, mode, what, rows, reconciled, problems, at, refusals } = result;
  const told = Object.entries(refusals ?? {})
    .map(([key, count]) => `${key} ${count}`)
    .join(', ');
  const command = `npm run loadtest -- ${scenario}${mode === 'distributed' ? ' --distributed' : ''}`;
  const outcome = reconciled ? 'Reconciled.' : `**Not reconciled:** ${problems.join('; ')}`;
  const refused = told ? ` Refusals: ${told}.` : '';
  const limit = LIMITS[scenario] ? ` What limits it: ${LIMITS[scenario]}` : '';
  return `## ${TITLES[scenario] ?? scenario}${mode === 'distributed' ? ', distributed' : ''}

${what[0].toUpperCase()}${what.slice(1)} (\`${command}\`, ${day(at)}, ${result.users} people).

${table(rows)}

${outcome}${refused}${limit}
`;
}

/** The short table of the README: one line for each figure that has a goal. */
export function shortOf({ book, ledger, pipeline, risk, neighbours, micro, savings, team, terminal, scenarios }) {
  const lines = ['| figure | value | goal |', '|---|---|---|'];
  if (book) {
    lines.push(
      `| order book, one core | ${million(book.bourse.median)} M commands/s | ≥ ` +
        `10 M ${book.bourse.median >= 1e7 ? '✓' : '✗'} |`,
    );
    for (const peer of book.peers)
      lines.push(
        `| … against ${peer.name} (${peer.language}) ` +
          `| ${peer.missing ? `not measured: ${peer.missing}` : `${peer.ratio} ×`} ` +
          `| ≥ ${peer.goal} × ${peer.missing ? '' : peer.ratio >= peer.goal ? '✓' : '✗'} |`,
      );
  }
  const named = [
    ['ledger', ledger],
    ['pipeline', pipeline],
    ['risk of 100,000 positions', risk],
    ['beside 40 calls a second', neighbours],
    ['10,000 seconds contracts', micro],
    ['100,000 fixed terms', savings],
    ['100,000 members', team],
    ['terminal', terminal],
    ...[...scenarios].sort(byPlace).map((result) => {
      const title = (TITLES[result.scenario] ?? result.scenario).toLowerCase();
      return [`${title}${result.mode === 'distributed' ? ', distributed' : ''}`, result];
    }),
  ];
  for (const [name, result] of named) {
    for (const one of graded(result?.rows ?? []))
      if (one.goal !== undefined)
        lines.push(`| ${name}: ${one.name} | ${one.value} ${one.unit} | ${one.goal} ${one.met ? '✓' : '✗'} |`);
  }
  return lines.join('\n');
}

/** Puts text between the comments `<!-- name -->` and `<!-- /name -->`. Throws when they are not there. */
export function replaceBetween(page, name, text) {
  const [from, to] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [begin, end] = [page.indexOf(from), page.indexOf(to)];
  if (begin < 0 || end < begin) throw new Error(`the page has no place for ${name}`);
  return `${page.slice(0, begin + from.length)}\n${text}\n${page.slice(end)}`;
}
