import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const near = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const BUNDLES = new URL('../../i18n/src/bundles/', import.meta.url);
/** Texts of the page, which the app shows in the same case. */
const KEYS = { title: 'failed.missingTitle', text: 'failed.missingText', retry: 'common.retry' } as const;
type Words = Readonly<Record<keyof typeof KEYS, string>>;

/** The page and its content policy, which allows its own script alone. */
export interface OfflinePage {
  readonly html: string;
  readonly policy: string;
}

/**
 * The page that the service worker answers a navigation with while there is no network: in every language and theme,
 * with its style and script in it, because nothing else can be loaded then.
 */
export function buildOfflinePage(): OfflinePage {
  const words = JSON.stringify(readWords());
  const script = `${near('./before-paint.js')}\n${near('./offline.js').replace('/* texts */ {}', () => words)}`;
  const html = near('./offline.html')
    .replace('/* themes */', () => readThemes())
    .replace('/* script */', () => script);
  // Hash of everything between the tags, white space included.
  const hash = createHash('sha256')
    .update(/<script>([\s\S]*)<\/script>/.exec(html)?.[1] ?? '')
    .digest('base64');
  return {
    html,
    policy:
      `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; connect-src 'self'; ` +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  };
}

/** The texts by language. None has a `<`, which could end the script that holds it. */
function readWords(): Readonly<Record<string, Words>> {
  const wordsOf = (code: string): Words => {
    const core = JSON.parse(readFileSync(new URL(`${code}/core.json`, BUNDLES), 'utf8')) as Record<string, string>;
    const word = (key: string): string => (core[key] ?? '').replaceAll('<', '\u2039');
    return { title: word(KEYS.title), text: word(KEYS.text), retry: word(KEYS.retry) };
  };
  return Object.fromEntries(readdirSync(BUNDLES).map((code) => [code, wordsOf(code)]));
}

/** The colours of both themes, as the app has them. */
const readThemes = (): string =>
  (near('../../ui/src/theme.css').match(/html\[data-theme='\w+'\] \{[^}]*\}/g) ?? []).join('\n');

/** Writes the page as a script that the service worker imports: the browser then renews both together. */
export function offlinePage(): Plugin {
  const file = 'offline-page.js';
  const script = (): string => `self.offlinePage = ${JSON.stringify(buildOfflinePage())};\n`;
  return {
    name: 'offline-page',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: file, source: script() });
    },
    configureServer: ({ config, middlewares }) =>
      void middlewares.use(`${config.base}${file}`, (_request, response) => {
        response.setHeader('content-type', 'text/javascript; charset=utf-8');
        response.end(script());
      }),
  };
}
