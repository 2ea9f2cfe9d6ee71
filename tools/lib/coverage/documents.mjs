// Reads what the contract and the source documents name: calls, addresses, messages of the socket, keys, sentences.

/** Rows of the tables of a text: each with its cells and the number of its section. */
export function tableRows(text) {
  const rows = [];
  eachLine(text, (line, section) => {
    if (/^\|(?!-)/.test(line)) rows.push({ section, cells: cellsOf(line) });
  });
  return rows;
}

function cellsOf(line) {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
}

/** Each line outside of code blocks with the number of its section, such as `2.1`. */
export function eachLine(text, visit) {
  let section = '0';
  let inCode = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) inCode = !inCode;
    else if (!inCode) {
      section = /^#{2,4} (\d+(?:\.\d+)*)/.exec(line)?.[1] ?? section;
      visit(line, section);
    }
  }
}

const METHOD = '(?:GET|POST|PUT|DELETE)';
const PATH = /^\/(?:api|upi|walletMiddle|dev|healthz|readyz|metrics)\b/;

/**
 * Calls that a cell or a sentence names. `GET, POST /a/b`, `POST /a/b, c, d` and `GET /a, POST /b` are how tables
 * shorten them: a method without a path waits for the next one, a word without a slash is a sibling of the last path,
 * and where the text of a cell names paths alone they have the last method.
 */
export function callsOf(text) {
  const found = [];
  let methods = [];
  let last;
  for (const word of text.split(/\s*[,;]\s*|\s+and\s+|\s+/)) {
    if (new RegExp(`^${METHOD}$`).test(word)) {
      if (last?.closed) {
        methods = [];
        last = undefined;
      }
      methods.push(word);
    } else if (PATH.test(word)) {
      for (const method of methods) found.push({ method, path: word });
      last = { path: word, closed: true };
    } else if (last && /^[a-z_]+$/.test(word)) {
      for (const method of methods) found.push({ method, path: last.path.replace(/[^/]+$/, word) });
    } else break;
  }
  return found;
}

/** All calls of the contract, each once, with its section. */
export function contractCalls(text) {
  const calls = new Map();
  const add = ({ method, path }, section) => {
    const name = `${method} ${path}`;
    if (!calls.has(name)) calls.set(name, { name, method, path, section });
  };
  for (const { cells, section } of tableRows(text)) for (const call of callsOf(cells[0])) add(call, section);
  eachLine(text, (line, section) => {
    for (const [, method, path] of line.matchAll(new RegExp(`\`(${METHOD}) (/[^\\s\`]+)\``, 'g')))
      add({ method, path }, section);
  });
  return [...calls.values()];
}

/** A method, a path, or a name that a source document writes instead of one. */
const NAMED = new RegExp(
  ['\\b(?:GET|POST|PUT)\\b', '/(?:api|upi)/[\\w/]+', '\\b(?:transaction|user_legal|legal_deal|check)_\\w+'].join('|') +
    '|\\b(?:SendVerificationcode|GetDrawAddress|BindDrawAddress)\\b',
  'g',
);

/**
 * Calls of a source document: every path of its section 7. A method precedes the path, or the first of several paths;
 * `/upi/usdt/account` and the middleware have no `/api`.
 */
export function sourceCalls(text) {
  const calls = new Map();
  const add = (method, path, section) =>
    calls.set(`${method} ${path}`, { name: `${method} ${path}`, method, path, section });
  let inCalls = false;
  eachLine(text, (line, section) => {
    if (/^## /.test(line)) inCalls = /^## 7/.test(line);
    if (!inCalls) return;
    let method;
    let last;
    const both = line.replace(/\b(GET|POST) and (GET|POST) (\/[\w/]+)/g, '$1 $3, $2 $3');
    for (const [word] of both.matchAll(NAMED)) {
      if (/^(GET|POST|PUT)$/.test(word)) method = word;
      else if (/Draw|Verification/.test(word)) add(method, `/walletMiddle/${word}`, section);
      else if (word.startsWith('/')) add((method ??= 'POST'), (last = word), section);
      else if (last && /^(transaction|user_legal|legal_deal|check)_/.test(word))
        add(method, last.replace(/[^/]+$/, word), section);
    }
  });
  return [...calls.values()];
}

/** Addresses of the terminal that the contract names (api, section 5). */
export function contractAddresses(text) {
  const section = sectionOf(text, 5);
  const found = new Set();
  for (const [, path] of section.matchAll(/`(\/[A-Za-z0-9_/]*)`/g)) if (!/^\/(api|admin)\b/.test(path)) found.add(path);
  const children = /`\/account` children: ([^.]+)\./.exec(section)?.[1] ?? '';
  for (const name of children.replace(/\([^)]*\)/g, '').split(',')) {
    found.add(`/account/${name.trim()}`);
    found.add(`/${name.trim()}`);
  }
  const assets = /`\/new_account` children: ([^.]+)\./.exec(section)?.[1] ?? '';
  for (const [, path] of assets.matchAll(/`(\/\w+)`/g)) found.add(`/new_account${path}`);
  found.delete('/new_account');
  return [...found];
}

/** The text of one numbered section, with its subsections. */
export function sectionOf(text, number) {
  const start = text.search(new RegExp(`^## ${number}\\. `, 'm'));
  const rest = text.slice(start);
  const end = rest.slice(3).search(/^## /m);
  return end < 0 ? rest : rest.slice(0, end + 3);
}

/** Words such as `balance.insufficient` that a document names, of the families given, each with its first section. */
export function keysOf(text, families) {
  const keys = new Map();
  eachLine(text, (line, section) => {
    for (const [key, family] of line.matchAll(
      /\b([a-z][A-Za-z0-9]*)\.[a-z][A-Za-z0-9]*\b(?!\()|\b(?:pswFalse|noopen)\b/g,
    ))
      if ((family === undefined || families.has(family)) && !keys.has(key)) keys.set(key, { key, section });
  });
  return keys;
}

/**
 * Sentences of a text, in order: lines of lists and prose cut at full stops before a capital letter, rows of tables
 * whole. Each has its section; headings and the heads of tables are not sentences.
 */
export function sentencesOf(text) {
  const found = [];
  let previous = '';
  eachLine(text, (line, section) => {
    const isHead = /^\|(?!-)/.test(line) && !/^\|/.test(previous);
    previous = line;
    if (line.trim() === '' || /^#|^\|-/.test(line) || isHead) return;
    if (line.startsWith('|')) found.push({ section, text: cellsOf(line).join(' | ') });
    else
      for (const part of line.replace(/^\s*(?:[-*]|\d+\.) /, '').split(/(?<=\.)\s+(?=[A-Z*`(])/))
        found.push({ section, text: part.trim() });
  });
  return found;
}

/** Addresses of the terminal that a source document lists under its routes (section 2). */
export function sourceAddresses(text) {
  const found = new Set();
  let part = '';
  eachLine(text, (line, section) => {
    if (line.startsWith('#')) part = line;
    if (section !== '2' || !/### (?:Routes|Account layout|Asset layout|Other routes)/.test(part)) return;
    const list = line.startsWith('|') ? cellsOf(line)[0] : line;
    if (/^#|^-+$|^Route$/.test(list)) return;
    const names = list
      .replace(/\([^)]*\)/g, '')
      .replace(/\.$/, '')
      .split(/\s*,\s*/);
    for (const name of names)
      if (/^\/?[\w/]*$/.test(name.trim()) && name.trim() !== '') found.add(name.trim().replace(/^\/?/, '/'));
  });
  return found;
}

/** Shapes that the contract declares (`type X = {…}`), each with the names of its fields and its section. */
export function contractShapes(text) {
  const shapes = [];
  let section = '0';
  let code = [];
  let inCode = false;
  for (const line of text.split('\n')) {
    section = /^#{2,4} (\d+(?:\.\d+)*)/.exec(line)?.[1] ?? section;
    if (line.startsWith('```')) {
      inCode = !inCode;
      if (!inCode) {
        for (const piece of code.join('\n').split(/(?=\btype [A-Z]\w*(?:<\w+>)? = )/)) {
          const name = /^type ([A-Z]\w*)/.exec(piece)?.[1];
          const body = piece.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
          if (name)
            shapes.push({
              name,
              section,
              fields: [...new Set([...body.matchAll(/(\w+)\??:/g)].map(([, field]) => field))],
            });
        }
        code = [];
      }
    } else if (inCode) code.push(line);
  }
  return shapes;
}

/** Calls with a list of names in their row, one by one: each catalog, and the orders of each product. */
export function unfoldCalls(calls, text) {
  const rows = tableRows(text);
  return calls.flatMap((call) => {
    const place = /:(?:name|product)\b/.exec(call.path)?.[0];
    if (!place || call.path.startsWith('/api/upload/')) return [call];
    const row = rows.find(({ cells }) => callsOf(cells[0]).some(({ path }) => path === call.path));
    const names = [...(row?.cells.join(' ') ?? '').matchAll(/`([a-z_]+(?: [a-z_]+)+)`/g)].at(-1)?.[1].split(' ') ?? [];
    return names.map((name) => ({
      ...call,
      path: call.path.replace(place, name),
      name: call.name.replace(place, name),
    }));
  });
}
