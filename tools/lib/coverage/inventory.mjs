// Everything that the contract and the source documents name, with the file that carries it and the test that proves
// it. It is read from documents and sources where possible; the rest is in the tables of `docs/coverage`.
import { filesOf, testFiles } from '../suites/places.mjs';
import { bestTests, indexTests } from './choose.mjs';
import { definedSettings, exists, quotedTexts, read, servedAddresses, servedBeside, servedCalls } from './code.mjs';
import * as documents from './documents.mjs';
import { isNoRow, readHand, resolveRow } from './hand.mjs';
import { readTests } from './tests.mjs';

const API = 'docs/contract/api.md';
const RULES = 'docs/contract/rules.md';
const SOURCES = [
  { name: 'document 1', page: 'trading', file: 'docs/contract/sources/01-trading-and-c2c.md' },
  { name: 'document 2', page: 'wallet', file: 'docs/contract/sources/02-wallet-and-account.md' },
];
const PUSHES = 'libs/contract/src/push.ts';
const ENGLISH = 'libs/i18n/src/bundles/en/server.json';
const SCREENS_TEST = 'apps/terminal/test/screen-expectations.ts';

/** Texts that look like keys of the contract but are names of fields. */
const NO_KEYS = new Set(['message.list', 'message.count', 'app.ios', 'app.mobile', 'fills.fee']);

/** Returns the groups of rows, and their problems. */
export function takeInventory() {
  const sources = filesOf(['services', 'libs', 'apps', 'examples'], /(?<!\.test|\.d)\.tsx?$/).filter(
    (file) => !/\/(?:tests?|planted)\//.test(file),
  );
  const api = read(API);
  const rules = read(RULES);
  const texts = SOURCES.map(({ file }) => read(file));
  const suites = filesOf(['services', 'libs'], /-suite\.ts$/);
  const tests = readTests([...testFiles(), ...suites]);
  const testsByCode = new Map();
  for (const test of tests)
    for (const code of test.codes) testsByCode.set(code, [...(testsByCode.get(code) ?? []), test]);
  const byHand = new Map();
  const problems = [];
  const notYet = readHand('not-yet').map(({ section, begins, carriers }) => ({
    group: section,
    item: begins,
    reason: carriers.map(({ name }) => name).join('; '),
    isMet: false,
  }));
  for (const row of readHand('derived')) byHand.set(`${row.section} ${row.begins}`, row);

  const calls = documents.unfoldCalls(documents.contractCalls(api), api);
  const served = servedCalls(sources);
  const index = indexTests(tests, new Set([...calls.map(({ path }) => path), ...[...served.keys()].map(pathOf)]));
  const all = { api, rules, texts, tests, testsByCode, byHand, problems, notYet, calls, served, index, sources };

  const groups = [
    callRows(all),
    ownCallRows(all),
    addressRows(all),
    messageRows(all),
    keyRows(all),
    settingRows(all),
    shapeRows(all),
    ...[
      { title: 'Sentences of the contract: calls', page: 'api', file: API, text: api },
      { title: 'Sentences of the contract: rules', page: 'rules', file: RULES, text: rules },
      ...SOURCES.map(({ name, ...one }, at) => ({ title: `Sentences of ${name}`, ...one, text: texts[at] })),
    ]
      .filter(({ page }) => exists(`docs/coverage/${page}.md`))
      .map(({ title, page, file, text }) => sentenceRows(all, title, page, file, text)),
  ];
  for (const row of byHand.values())
    if (!row.isUsed) problems.push(`${row.page}: “${row.section} ${row.begins}” is no item any more`);
  for (const { group, item, isMet } of notYet)
    if (!isMet)
      problems.push(`docs/coverage/not-yet.md: “${group}: ${item}” stands by now, or is no item: take its line away`);
  return { groups, problems, notYet };
}

const pathOf = (name) => name.slice(name.indexOf(' ') + 1);

/**
 * Adds one row. An item without a file or a test must be listed as not yet done, with its reason; a listed item that
 * exists is a problem.
 */
function row(all, group, { item, source, carriers, tests, shown }) {
  const hand = all.byHand.get(`${group} ${item}`);
  let proved = tests.map((test) => ({ ...test, code: test.codes[0] }));
  let files = carriers;
  if (hand) {
    hand.isUsed = true;
    const resolved = resolveRow(hand, all.testsByCode, all.tests, { isDerived: true });
    all.problems.push(...resolved.problems);
    proved = resolved.proved;
    if (hand.carriers.length > 0) files = hand.carriers.map(({ name }) => name);
  }
  const stands = files.length > 0 && proved.length > 0;
  const waiting = all.notYet.find((one) => one.group === group && one.item === item);
  if (stands) return { item: shown ?? `\`${item}\``, source, carriers: files, proved };
  if (waiting) {
    waiting.isMet = true;
    return undefined;
  }
  all.problems.push(
    `${group}: ${item} (${source}) has ${files.length === 0 ? 'no file that carries it' : 'no test'}: ` +
      'write one, or name it in docs/coverage/derived.md or not-yet.md',
  );
  return undefined;
}
const rowsOf = (all, group, items) => items.map((item) => row(all, group, item)).filter(Boolean);

function callRows(all) {
  const { calls, served, index, texts } = all;
  const inSources = SOURCES.map(({ name }, at) => ({ name, calls: documents.sourceCalls(texts[at]) }));
  const known = new Set(calls.map(({ name }) => name));
  for (const { name, calls: theirs } of inSources)
    for (const call of theirs)
      if (!known.has(call.name)) all.problems.push(`calls: ${call.name} of ${name} is not in the contract`);
  const items = calls.map(({ name, method, path, section }) => ({
    item: name,
    source: [
      `api ${section}`,
      ...inSources.filter((one) => one.calls.some((call) => call.name === name)).map((one) => one.name),
    ].join(', '),
    carriers: served.has(name) ? [served.get(name)] : [],
    tests: served.has(name) ? bestTests(index.byPath.get(path), { method, isServed: true, words: wordsOf(path) }) : [],
  }));
  return {
    title: 'Calls',
    about: 'Calls of the contract (api, sections 2 and 3) and of both source documents.',
    rows: rowsOf(all, 'call', items),
  };
}

function ownCallRows(all) {
  const known = new Set(all.calls.map(({ name }) => name));
  const beside = servedBeside(all.sources.filter((file) => /^(?:services|libs|apps\/exchange)\//.test(file)));
  const own = [...all.served].filter(
    ([name, file]) => !known.has(name) && !/^examples\//.test(file) && !/ \/internal\//.test(name),
  );
  const rest = [...beside].filter(([path]) => !own.some(([name]) => pathOf(name) === path));
  const items = [...own, ...rest.map(([path, file]) => [`GET ${path}`, file])].map(([name, file]) => ({
    item: name,
    source: 'this project’s own',
    carriers: [file],
    tests: bestTests(all.index.byPath.get(pathOf(name)), {
      method: name.split(' ')[0],
      isServed: true,
      words: wordsOf(pathOf(name)),
    }),
  }));
  return {
    title: 'Calls of this project’s own',
    about: 'What is served beside the tables of the contract.',
    rows: rowsOf(all, 'own call', items),
  };
}

const wordsOf = (path) =>
  path
    .split(/[/_:]/)
    .filter((word) => word.length > 3 && word !== 'admin')
    .map((word) => word.toLowerCase());

function addressRows(all) {
  const places = new Map([...servedAddresses()].filter(([, { isExample }]) => !isExample));
  const named = documents.contractAddresses(all.api);
  const inSources = SOURCES.map(({ name }, at) => ({ name, paths: documents.sourceAddresses(all.texts[at]) }));
  const known = new Set(named);
  for (const { name, paths } of inSources)
    for (const path of paths)
      if (!known.has(path) && !known.has(`/account${path}`))
        all.problems.push(`addresses: ${path} of ${name} is not in the contract`);
  const screens = exists(SCREENS_TEST) ? read(SCREENS_TEST) : '';
  const walk = all.testsByCode.get('COVER-010') ?? [];
  const items = [...new Set([...named, ...places.keys()])].map((path) => {
    const place = places.get(path);
    const stands = place && new RegExp(`^ {2}${place.screen}: `, 'm').test(screens);
    return {
      item: path,
      source: [
        ...(known.has(path) ? ['api 5'] : ['this project’s own']),
        ...inSources.filter((one) => one.paths.has(path)).map((one) => one.name),
      ].join(', '),
      carriers: place?.file ? [place.file] : [],
      tests: stands
        ? walk.slice(0, 1)
        : place && !exists(SCREENS_TEST)
          ? (all.testsByCode.get('TERM-006') ?? []).slice(0, 1)
          : [],
    };
  });
  return {
    title: 'Addresses of the terminal',
    about:
      'Every address of api 5, with the screen that stands on it. What must be seen there is a line ' +
      `of \`${SCREENS_TEST}\` for each screen.`,
    rows: rowsOf(all, 'address', items),
  };
}

function messageRows(all) {
  const text = read(PUSHES);
  const defined = new Set();
  for (const [, table] of text.matchAll(/export const [A-Z_]+ = \{([\s\S]*?)\n\} as const/g))
    for (const [, name] of table.matchAll(/^ {2}(\w+): \{/gm)) defined.add(name);
  const section = documents.sectionOf(all.api, 4);
  const named = [...section.matchAll(/^\| (`\w+`(?:, `\w+`)*) \|/gm)].flatMap(([, names]) =>
    [...names.matchAll(/\w+/g)].map(([name]) => name),
  );
  const items = [...new Set([...named, 'snapshot', ...defined])]
    .filter((name) => name !== 'box_update')
    .map((name) => ({
      item: name,
      source: [
        named.includes(name) || section.includes(`\`${name}`) ? 'api 4' : 'this project’s own',
        ...SOURCES.filter((_, at) => new RegExp(`\\b${name}\\b`).test(all.texts[at])).map((one) => one.name),
      ].join(', '),
      carriers: defined.has(name)
        ? [PUSHES]
        : name === 'snapshot'
          ? ['services/gateway/src/sockets/application/public-state.ts']
          : [],
      tests: bestTests(all.index.byText.get(name), { words: [name, 'socket', 'push'] }),
    }));
  return {
    title: 'Messages of the socket',
    about: 'What clients send and what the server sends (api 4).',
    rows: rowsOf(all, 'message', items),
  };
}

function keyRows(all) {
  const english = Object.keys(JSON.parse(read(ENGLISH)));
  const families = new Set(english.map((key) => key.split('.')[0]));
  for (const family of ['save', 'jc', 'complaint', 'copy']) families.add(family);
  const named = new Map([...documents.keysOf(all.rules, families), ...documents.keysOf(all.api, families)]);
  for (const key of NO_KEYS) named.delete(key);
  const inRules = documents.keysOf(all.rules, families);
  const quoted = quotedTexts(all.sources.filter((file) => !/generated/.test(file)));
  const refusals = new Set();
  for (const file of all.sources)
    for (const [, list] of read(file).matchAll(/refuses: \[([^\]]*)\]/g))
      for (const [, key] of list.matchAll(/'([^']+)'/g)) refusals.add(key);
  const items = [...new Set([...named.keys(), ...refusals])]
    .filter((key) => !/^(?:message|fills|box)\./.test(key))
    .map((key) => ({
      item: key,
      source:
        [
          ...(named.has(key) && documents.keysOf(all.api, families).has(key)
            ? [`api ${documents.keysOf(all.api, families).get(key).section}`]
            : []),
          ...(inRules.has(key) ? [`rules ${inRules.get(key).section}`] : []),
          ...SOURCES.filter((_, at) => all.texts[at].includes(key)).map((one) => one.name),
        ].join(', ') || 'this project’s own',
      carriers: english.includes(key) ? (quoted.get(key) ?? []).sort(carrierFirst).slice(0, 2) : [],
      tests: bestTests(all.index.byText.get(key), { words: key.split('.').map((word) => word.toLowerCase()) }),
    }));
  return {
    title: 'Keys',
    about:
      'Keys that answers carry (contract and `refuses` of the calls). Texts in sixteen languages: I18N-001, I18N-002.',
    rows: rowsOf(all, 'key', items),
  };
}

/** Files that decide a key sort before files that only declare or show it. */
function carrierFirst(one, other) {
  const rank = (file) =>
    /\/domain\//.test(file)
      ? 0
      : /\/application\//.test(file)
        ? 1
        : /^services\//.test(file)
          ? 2
          : /^libs\//.test(file)
            ? 3
            : 4;
  return rank(one) - rank(other) || one.localeCompare(other, 'en');
}

function settingRows(all) {
  const items = [...definedSettings(all.sources)]
    .filter(([, file]) => !file.startsWith('examples/'))
    .map(([key, file]) => ({
      item: key,
      source: 'rules 15',
      carriers: [file],
      tests: settingTests(all, key),
    }));
  return {
    title: 'Settings',
    about:
      'Rows that an operator changes (rules 15); `*` stands for a coin or a level. ' +
      'Proved by the figure that it begins at, and by a test that changes it, or that lives by it.',
    rows: rowsOf(all, 'setting', items),
  };
}

/** Returns the test of its default value, and the best one that changes it and checks the effect. */
function settingTests(all, key) {
  const entries = entriesOf(all.index.byText, key) ?? [];
  const wanted = { isServed: true, words: key.split(/[._]/) };
  const seeds = entries.filter(({ test }) => test.codes.includes('COVER-020'));
  const changes = entries.filter((entry) => entry.isSet && !entry.test.codes.includes('COVER-020'));
  return [...bestTests(seeds, wanted).slice(0, 1), ...bestTests(changes, wanted).slice(0, 1)];
}

function entriesOf(byText, key) {
  if (!key.endsWith('*')) return byText.get(key);
  const head = key.slice(0, -1);
  return [...byText].filter(([text]) => text.startsWith(head)).flatMap(([, entries]) => entries);
}

function shapeRows(all) {
  const answers = filesOf(['libs/contract/src/answers'], /\.ts$/);
  const items = documents
    .contractShapes(all.api)
    .filter(({ section }) => section !== '1.3' && section !== '1.7')
    .map(({ name, section, fields }) => {
      const file = answers.find((one) => new RegExp(`export const ${shapeName(name)} =`).test(read(one)));
      const text = file ? answers.map(read).join('\n') : '';
      const missing = file ? fields.filter((field) => !new RegExp(`\\b${field}\\b`).test(text)) : [];
      if (missing.length > 0)
        all.problems.push(`shape: ${name} of api ${section} has fields that no answer declares: ${missing.join(', ')}`);
      return {
        item: name,
        source: `api ${section}`,
        carriers: file ? [file] : [],
        tests: [], // by hand: the one that gets such a thing with something in it
      };
    });
  return {
    title: 'Shapes of answers',
    about:
      'Types of the contract: each field of each is declared in `libs/contract`. Whatever a contract test is ' +
      'answered is checked against the declaration of its call, field by field, to the letters of amounts, times ' +
      'and ids (`shapes.ts`); the test named gets such a thing with something in it.',
    rows: rowsOf(all, 'shape', items),
  };
}

/** Shapes whose declaration has another name than the contract’s. */
const RENAMED = {
  Fill: 'spotFill',
  Book: 'bookAnswer',
  Log: 'walletLog',
  Exchange: 'pointsExchange',
  Node: 'teamNode',
  Tree: 'teamTree',
  Claim: 'insuranceClaim',
  LeverList: 'leverList',
};
const shapeName = (name) => RENAMED[name] ?? `${name[0].toLowerCase()}${name.slice(1)}`;

/** Sentences of a document, each with the row of its page that begins like it. */
function sentenceRows(all, title, page, file, text) {
  const hand = readHand(page);
  const rows = [];
  const without = new Map();
  let byTables = 0;
  let open; // the `=` line that ends with `+`: it covers the sentences after it in its section
  for (const sentence of documents.sentencesOf(text)) {
    if (isOfCalls(page, sentence)) {
      byTables += 1;
      continue;
    }
    if (open?.section !== sentence.section) open = undefined;
    const bare = plain(sentence.text);
    const [own] = hand
      .filter(({ section, begins }) => section === sentence.section && bare.startsWith(startOf(begins)))
      .sort((one, other) => other.begins.length - one.begins.length);
    if (own) {
      if (own.isUsed) all.problems.push(`${own.page}: “${own.begins}” begins more than one sentence`);
      own.isUsed = true;
      open = own.begins.endsWith(' +') ? own : undefined;
      if (isNoRow(own)) {
        if (own.proofs.length === 0) all.problems.push(`${own.page}: “${own.begins}” says no reason`);
        without.set(own, [...(without.get(own) ?? []), sentence]);
        continue;
      }
      open = undefined;
      const { problems, proved } = resolveRow(own, all.testsByCode, all.tests);
      all.problems.push(...problems);
      rows.push({
        item: shorten(sentence.text),
        source: sentence.section,
        proved,
        carriers: own.carriers.map(({ name }) => name),
        but: own.but,
      });
      continue;
    }
    const waiting = all.notYet.find(
      (one) => one.group === `${page} ${sentence.section}` && bare.startsWith(startOf(one.item)),
    );
    if (waiting) waiting.isMet = true;
    else if (open) without.get(open).push(sentence);
    else all.problems.push(`${page} ${sentence.section}: no row for “${sentence.text.slice(0, 90)}”`);
  }
  for (const { isUsed, section, begins } of hand)
    if (!isUsed)
      all.problems.push(`docs/coverage/${page}.md: no sentence of ${file} ${section} begins with “${begins}”`);
  return {
    title,
    about:
      `[${file.replace('docs/', '')}](${file.replace('docs/', '')}), sentence by sentence. ` +
      `${byTables} more are rows of the tables above.`,
    rows,
    without: [...without].map(([{ section, proofs }, sentences]) => ({
      item: `${shorten(sentences[0].text)}${sentences.length > 1 ? ` … (${sentences.length} sentences)` : ''}`,
      source: section,
      reason: proofs.map(({ name }) => name).join('; '),
    })),
  };
}

/** Returns the beginning of a sentence as a table has it, without the mark that extends it to the following ones. */
const startOf = (begins) => plain(begins.replace(/ \+$/, ''));
const plain = (text) =>
  text
    .replace(/[*`\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
const shorten = (text) =>
  (plain(text).length > 160 ? `${plain(text).slice(0, 157)}…` : plain(text)).replaceAll('|', '\\|');

/** Sentences that name calls or addresses alone: they have rows by derivation. */
function isOfCalls(page, { section, text }) {
  if (page === 'api') return documents.callsOf(text).length > 0;
  if (page === 'rules') return false;
  return section === '7' && /(?:GET|POST|PUT)\b.*\/|^\/|path \| /.test(text);
}
