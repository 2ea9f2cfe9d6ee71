// Links between the pages of the repository: each leads to a file that is there, and to a heading that the file has.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Blocks of code and texts in backticks name no links. */
const withoutCode = (text) => text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '``');

/** The anchors of a page, as GitHub makes them of its headings. */
export function anchorsOf(text) {
  const seen = new Map();
  return new Set(
    [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6}\s+(.+?)\s*$/gm)].map(([, heading]) => {
      const plain = heading
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
        .replaceAll(' ', '-');
      const times = seen.get(plain) ?? 0;
      seen.set(plain, times + 1);
      return times === 0 ? plain : `${plain}-${times}`;
    }),
  );
}

/** Targets of the links and pictures of a page that lie in the repository. */
export function targetsOf(text) {
  return [...withoutCode(text).matchAll(/\]\((<[^>]+>|[^)\s]+)(?:\s+"[^"]*")?\)|(?:src|href)="([^"]+)"/g)]
    .map(([, link, attribute]) => (link ?? attribute).replace(/^<|>$/g, ''))
    .filter((target) => !/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(target));
}

/** Links of a page that lead nowhere. `file` is its path in `root`. */
export function brokenLinks(root, file) {
  const text = readFileSync(join(root, file), 'utf8');
  return targetsOf(text).filter((target) => {
    const [path, anchor] = target.split('#');
    const whole = path === '' ? join(root, file) : normalize(join(root, dirname(file), decodeURIComponent(path)));
    if (!existsSync(whole)) return true;
    if (!anchor || !whole.endsWith('.md') || statSync(whole).isDirectory()) return false;
    return !anchorsOf(readFileSync(whole, 'utf8')).has(decodeURIComponent(anchor));
  });
}
