import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { beforeEach, expect, test } from '@jest/globals';
import { LANGUAGES } from '@bourse/contract';
import { buildOfflinePage } from './offline-page.js';

const { html, policy } = buildOfflinePage();
const script = /<script>([\s\S]*)<\/script>/.exec(html)?.[1] ?? '';

interface Shown {
  readonly texts: Record<string, string>;
  readonly html: { lang: string; dir: string; dataset: Record<string, string> };
  readonly press: () => void;
  reloads: number;
  title: string;
}
let timer: () => void;
let reachable: boolean;
beforeEach(() => {
  reachable = false;
});

/** The page as it is after its script, for these stored values. */
function show(stored: Readonly<Record<string, string>> | 'blocked'): Shown {
  const listeners = new Map<string, () => void>();
  const shown: Shown = {
    texts: {},
    html: { lang: 'en', dir: 'ltr', dataset: { theme: 'dark' } },
    press: () => listeners.get('click')?.(),
    reloads: 0,
    title: '',
  };
  const element = (id: string) => ({
    set textContent(text: string) {
      shown.texts[id] = text;
    },
    addEventListener: (name: string, listener: () => void) => listeners.set(name, listener),
  });
  runInNewContext(script, {
    console: { debug: () => undefined },
    document: {
      documentElement: shown.html,
      querySelector: () => null,
      getElementById: element,
      set title(text: string) {
        shown.title = text;
      },
    },
    localStorage: {
      getItem: (key: string) => {
        if (stored === 'blocked') throw new Error('SecurityError');
        return stored[key] ?? null;
      },
    },
    location: { reload: () => (shown.reloads += 1) },
    addEventListener: (name: string, listener: () => void) => listeners.set(name, listener),
    setInterval: (run: () => void) => (timer = run),
    fetch: () => (reachable ? Promise.resolve() : Promise.reject(new Error('offline'))),
  });
  return shown;
}

test('the page without a network has the stored language and theme, and words in each language [OFFLINE-001]', () => {
  const titles = LANGUAGES.map((locale) => {
    const { texts, title } = show({ locale });
    expect([locale, Object.values(texts).every((text) => text !== '')]).toEqual([locale, true]);
    expect(title).toBe(`${texts['title']} · Bourse`);
    return texts['title'];
  });
  expect(new Set(titles).size).toBeGreaterThan(14);
  expect(show({ locale: 'ar', theme: 'white' }).html).toMatchObject({ dir: 'rtl', dataset: { theme: 'white' } });
  expect([show('blocked').texts['retry'], show({ locale: 'xx' }).texts['retry']]).toEqual(['Try again', 'Try again']);
  expect(html.match(/--bg0: #\w{6}/g)).toHaveLength(2);
});

test('the page loads again by its button, and by itself once the exchange answers [OFFLINE-002]', async () => {
  const shown = show({});
  shown.press();
  expect(shown.reloads).toBe(1);
  timer();
  await new Promise(setImmediate);
  expect(shown.reloads).toBe(1);
  reachable = true;
  timer();
  await new Promise(setImmediate);
  expect(shown.reloads).toBe(2);
});

test('the policy of the page allows its own script and no other [OFFLINE-003]', () => {
  const hash = createHash('sha256').update(script).digest('base64');
  expect(policy).toContain(`script-src 'sha256-${hash}';`);
  expect(policy).toContain("default-src 'none'");
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).not.toMatch(/\b(?:src|href)=/);
});
