// Which test proves a thing that is derived: the test that names it itself, with a code of its rule, before one that
// comes by it on the way.

/** Tests that walk over every call, or attack it, prove the edge, not the call; nor does what reads the sources. */
const WALKS =
  /\/(?:attack\.[^/]*|interface\.contract|documents\.contract|fairness\.contract|no-rigging\.unit)\.test\.ts$/;
/** Calls and settings are proved where they are served: not by a stub, nor on the way by the console of operators. */
const BESIDE = /^apps\/console\/|\.(?:unit|property)\.test\.ts$/;
const KINDS = [
  [/\.contract\.test\.ts$/, 20],
  [/\.int\.test\.ts$/, 15],
  [/\.browser\.test\.ts$/, 8],
  [/\.(?:unit|property)\.test\.ts$/, 6],
];

/** Reached texts of all tests: by text, and by path of a call. */
export function indexTests(tests, paths) {
  const byText = new Map();
  const byPath = new Map();
  const put = (map, key, entry) => {
    const list = map.get(key);
    if (list) list.push(entry);
    else map.set(key, [entry]);
  };
  for (const test of tests) {
    const { reached } = test;
    const words = new Map();
    for (const { text, far, isOpen } of reached)
      if (!isOpen && /^[a-z_][a-z_/]*$/.test(text)) words.set(text, Math.min(far, words.get(text) ?? far));
    const own = new Set();
    for (const { text, far, method, isOpen, tail, isSet } of reached) {
      put(byText, text, { test, far, isSet });
      if (!text.startsWith('/')) continue;
      const path = text.replace(/[?#].*$/, '');
      const wanted =
        isOpen && !text.includes('?') ? [...openPaths(path, tail.replace(/\?.*$/, ''), words, paths)] : [{ path, far }];
      for (const one of wanted) {
        put(byPath, one.path, { test, far: one.isOwn ? one.far : Math.max(far, one.far), method });
        if (far === 0) own.add(one.path);
      }
    }
    test.width = own.size;
  }
  return { byText, byPath };
}

/**
 * Paths that `/api/x/${…}/y` may be in this test: with a word that it has, or with a placeholder for an id. A word that
 * is not a plain one is the path itself.
 */
function* openPaths(head, tail, words, paths) {
  for (const path of paths) {
    if (!path.startsWith(head) || !path.endsWith(tail) || path.length <= head.length + tail.length) continue;
    const rest = path.slice(head.length, path.length - tail.length);
    if (rest.startsWith(':')) yield { path, far: 0 };
    else if (words.has(rest)) yield { path, far: words.get(rest), isOwn: /[_/]/.test(rest) };
  }
}

function worth({ test, far, method }, wanted) {
  let points = far === 0 ? 100 : 40 - 8 * far;
  points += KINDS.find(([pattern]) => pattern.test(test.file))?.[1] ?? 0;
  if (method !== undefined && method === wanted.method) points += 30;
  if (test.codes.length > 0) points += 12;
  points -= Math.min(24, 3 * (test.width ?? 0));
  const words = `${test.title} ${test.file}`.toLowerCase();
  for (const word of wanted.words) if (words.includes(word)) points += 10;
  return points;
}

/** The tests that prove a call, a message or a key best: at most two, of different files. */
export function bestTests(entries = [], wanted) {
  const of = new Map();
  for (const entry of entries) {
    if (WALKS.test(entry.test.file) || (wanted.isServed && BESIDE.test(entry.test.file))) continue;
    if (entry.method !== undefined && wanted.method !== undefined && entry.method !== wanted.method) continue;
    const points = worth(entry, wanted);
    const known = of.get(entry.test);
    if (!known || known.points < points) of.set(entry.test, { ...entry, points });
  }
  const sorted = [...of.values()].sort((a, b) => b.points - a.points || compare(a.test, b.test));
  const [first] = sorted;
  if (!first) return [];
  const second = sorted.find(
    ({ test, far, points }) => test.file !== first.test.file && far === 0 && points > first.points - 25,
  );
  return [first, ...(second ? [second] : [])].map(({ test }) => test);
}

const compare = (a, b) => `${a.file} ${a.title}`.localeCompare(`${b.file} ${b.title}`, 'en');
