import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin, Rolldown } from 'vite';

/** Parts of the builds of the terminal and of the console. */
const source = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** One file of the libraries that every screen needs: they compress better together, and change rarely. */
export const VENDOR_GROUP = {
  name: 'vendor',
  test: /node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|@tanstack|i18next|react-i18next|zustand)\//,
};

/** The libraries that the browser build compiles from source, by name, without built files in between. */
export const ALIASES: Readonly<Record<string, string>> = {
  '@bourse/i18n': source('i18n/src/browser.ts'),
  ...Object.fromEntries(
    ['money', 'formulas', 'matching', 'contract', 'ui', 'web', 'api-client', 'realtime', 'verify'].map((name) => [
      `@bourse/${name}`,
      source(`${name}/src/index.ts`),
    ]),
  ),
};

/** One font before paint: the Latin cut of Inter; the other cuts load when a page needs their letters. */
export function preloadFont(): Plugin {
  let base = '/';
  return {
    name: 'preload-font',
    configResolved: (config) => {
      base = config.base;
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => /inter-latin-wght-normal-.*\.woff2$/.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `${base}${file}`, crossorigin: '' },
            injectTo: 'head' as const,
          })),
    },
  };
}

/** The addresses that have a screen, for the gateway: it answers all others with 404. */
export function listAddresses(addresses: readonly unknown[]): Plugin {
  return {
    name: 'list-addresses',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'addresses.json', source: JSON.stringify(addresses) });
    },
  };
}

/** A screen with a page of its own: its name in the table of screens, the areas of its texts, the file of the page. */
interface OpenScreen {
  readonly name: string;
  readonly areas: readonly string[];
  readonly page: string;
}

/**
 * Finds the module that draws a screen, as a path from the sources without its extension. The table of screens names it
 * in an `import()`, which nothing can evaluate at build time.
 * @throws Error for a screen that the table does not name
 */
function modulesOf(routes: URL): (name: string) => string {
  const entries = readFileSync(routes, 'utf8').matchAll(/^ {2}(\w+): [^;]*?import\('\.\/([^']+)\.js'\)/gm);
  const modules = new Map([...entries].map(([, name, module]) => [name ?? '', module ?? '']));
  return (name) => {
    const module = modules.get(name);
    if (module === undefined) throw new Error(`no module of ${name} in ${routes.pathname}`);
    return module;
  };
}

/** The files of a screen that not every page needs: those of its code, and of its texts by language. */
interface Needs {
  readonly files: readonly string[];
  readonly texts: Readonly<Record<string, readonly string[]>>;
}
function needsOf(bundle: Rolldown.OutputBundle): (module: string, areas: readonly string[]) => Needs {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const load = (name: string, found = new Set<string>()): Set<string> => {
    const chunk = byName.get(name);
    if (chunk === undefined || found.has(name)) return found;
    found.add(name);
    for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
    for (const other of chunk.imports) load(other, found);
    return found;
  };
  const always = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap(({ fileName }) => [...load(fileName)]));
  const filesOf = (end: RegExp): string[] =>
    chunks.filter(({ facadeModuleId }) => end.test(facadeModuleId ?? '')).map(({ fileName }) => fileName);
  const languages = chunks.flatMap(
    ({ facadeModuleId }) => /^\0texts:(?!languages)([a-z]+)$/.exec(facadeModuleId ?? '')?.[1] ?? [],
  );
  return (module, areas) => {
    const [file] = filesOf(new RegExp(`/${module}\\.tsx?$`));
    if (file === undefined) throw new Error(`no file of ${module}`);
    return {
      files: [...load(file)].filter((name) => !always.has(name)),
      texts: Object.fromEntries(
        languages.map((code) => [
          code,
          [`^\\0texts:${code}$`, ...areas.map((area) => `/${code}/${area}\\.json$`)].flatMap((end) =>
            filesOf(new RegExp(end)),
          ),
        ]),
      ),
    };
  };
}

/**
 * Writes the pages of screens that have one of their own. Each requests the files of its screen before the first script
 * has run. Only the browser knows the language: the page lists the files of the texts in a `meta` element, and
 * `before-paint.js` requests those of the language (BUDGET-011).
 */
export function screenPages(routes: URL, screens: readonly OpenScreen[]): Plugin {
  let base = '/';
  return {
    name: 'screen-pages',
    configResolved: (config) => {
      base = config.base;
    },
    // After the style plugin, which removes the files of modules that hold styles alone.
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const moduleOf = modulesOf(routes);
        const needs = needsOf(bundle);
        const index = bundle['index.html'];
        if (index?.type !== 'asset') throw new Error('no page to write the pages of screens from');
        for (const { name, areas, page } of screens) {
          const { files, texts } = needs(moduleOf(name), areas);
          const links = files.map((file) => {
            const kind = file.endsWith('.css') ? 'rel="preload" as="style"' : 'rel="modulepreload"';
            return `    <link ${kind} crossorigin href="${base}${file}">\n`;
          });
          const source = String(index.source)
            .replace('<script', () => `<meta name="texts" content='${JSON.stringify(texts)}' />\n    <script`)
            .replace('  </head>', () => `${links.join('')}  </head>`);
          this.emitFile({ type: 'asset', fileName: page, source });
        }
      },
    },
  };
}

/** The packages of page and exchange with their licences: `licences.txt` beside the page. */
export function listLicences(): Plugin {
  return {
    name: 'list-licences',
    generateBundle() {
      const text = readFileSync(source('../THIRD_PARTY_NOTICES.md'), 'utf8');
      this.emitFile({ type: 'asset', fileName: 'licences.txt', source: text });
    },
  };
}

/**
 * Of the server's texts the page gets those that its code names, whole or by a prefix: forms say the same words before
 * they send. The others come with answers, in the reader's language, and most of them are no business of a form.
 */
export function serverTextsNamed(sources: URL): Plugin {
  const here = fileURLToPath(sources);
  let code: string | undefined;
  const read = (): string =>
    readdirSync(here, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$/.test(file))
      .map((file) => readFileSync(`${here}${file}`, 'utf8'))
      .join('\n');
  const isNamed = (key: string, all: string): boolean =>
    all.includes(`'${key}'`) ||
    [...key.matchAll(/\./g)].some(({ index }) => all.includes(`\`${key.slice(0, index + 1)}\${`));
  return {
    name: 'server-texts-named',
    enforce: 'pre',
    buildStart: () => {
      code = undefined;
    },
    transform: {
      filter: { id: /i18n\/src\/bundles\/[a-z]+\/server\.json$/ },
      handler: (json) => {
        const all = (code ??= read());
        const texts = Object.entries(JSON.parse(json) as Record<string, string>);
        const named = texts.filter(([key]) => isNamed(key.replace(/_(?:zero|one|two|few|many|other)$/, ''), all));
        return { code: JSON.stringify(Object.fromEntries(named)), map: null };
      },
    },
  };
}

/**
 * Texts by language (`texts:languages`): a file for each language holds its core texts and the way to its other areas.
 * A page then knows the files of its own language, and not those of all sixteen (BUDGET-001).
 */
export function textsByLanguage(areas: (area: string) => boolean): Plugin {
  const bundles = source('i18n/src/bundles/');
  const table = (entries: readonly string[]): string => `{ ${entries.join(', ')} }`;
  const languages = (): string =>
    table(readdirSync(bundles).map((code) => `${code}: () => import(${JSON.stringify(`texts:${code}`)})`));
  const texts = (code: string): string => {
    const names = readdirSync(`${bundles}${code}`)
      .map((file) => file.replace(/\.json$/, ''))
      .filter(areas);
    const file = (name: string): string => JSON.stringify(`${bundles}${code}/${name}.json`);
    const others = names.filter((name) => name !== 'core');
    const ways = others.map((name) => `${name}: () => import(${file(name)}).then((area) => area.default)`);
    return `import core from ${file('core')};\nexport default ${table(['core', ...ways])};\n`;
  };
  return {
    name: 'texts-by-language',
    resolveId: { filter: { id: /^texts:/ }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: /texts:[a-z]+$/ },
      handler: (id) => {
        const name = id.slice(id.indexOf(':') + 1);
        return name === 'languages' ? `export const TEXTS = ${languages()};\n` : texts(name);
      },
    },
  };
}

/** The script that puts theme, palette, language and direction on the page before its first paint. */
export function beforePaint(): Plugin {
  const script = (): string => readFileSync(new URL('./before-paint.js', import.meta.url), 'utf8');
  return {
    name: 'before-paint',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'before-paint.js', source: script() });
    },
    configureServer: ({ config, middlewares }) =>
      void middlewares.use(`${config.base}before-paint.js`, (_request, response) => {
        response.setHeader('content-type', 'text/javascript; charset=utf-8');
        response.end(script());
      }),
  };
}
