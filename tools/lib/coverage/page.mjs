// The page that people read: every row with links to the file that carries it and to the test that proves it.
import { basename } from 'node:path';

export const PAGE = 'docs/coverage.md';

export function renderPage({ groups, notYet }) {
  const lines = [
    '# Coverage',
    '',
    'Every route, call, message, key, setting, shape and sentence of the [contract](contract/api.md), its',
    '[rules](contract/rules.md) and the two source documents',
    '([trading and C2C](contract/sources/01-trading-and-c2c.md),',
    '[wallet and account](contract/sources/02-wallet-and-account.md)), with the file that carries it and the test that',
    'proves it. Written by `npm run coverage` from documents, sources and tests, and from the tables in',
    '[coverage/](coverage); `npm test` refuses a page that is not of now, an item without a row,',
    'a row without a test.',
    'How it comes about: [decision 0121](decisions/0121-coverage-from-sources.md).',
    '',
    '| what | rows |',
    '|---|---|',
    ...groups.map(({ title, rows }) => `| [${title}](#${anchor(title)}) | ${rows.length} |`),
    `| [Not yet](#not-yet) | ${notYet.length} |`,
    '',
  ];
  for (const { title, about, rows, without = [] } of groups) {
    lines.push(`## ${title}`, '', about, '', '| item | source | carried by | proved by |', '|---|---|---|---|');
    for (const { item, source, carriers, proved, but } of rows) {
      const places = [carriers.map(link), proved.map(linkTest)].map((links) => links.join('<br>'));
      lines.push(`| ${item}${but === undefined ? '' : ` **But** ${but}.`} | ${source} | ${places.join(' | ')} |`);
    }
    lines.push('');
    if (without.length > 0) {
      lines.push('Without a row:', '', '| sentence | § | why |', '|---|---|---|');
      for (const { item, source, reason } of without) lines.push(`| ${unlinked(item)} | ${source} | ${reason} |`);
      lines.push('');
    }
  }
  lines.push('## Not yet', '');
  if (notYet.length === 0) lines.push('Nothing: every item has its row.', '');
  else {
    lines.push(
      'What the documents name and this version does not have, or has without a test of its own.',
      'A line that is no longer true fails the check.',
      '',
      '| group | item | why |',
      '|---|---|---|',
    );
    for (const { group, item, reason } of notYet)
      lines.push(`| ${group} | ${item.replaceAll('|', '\\|')} | ${reason} |`);
    lines.push('');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

const anchor = (title) =>
  title
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replace(/\s/g, '-');
/** Removes the links of a sentence: they are relative to its own page, not to this one. */
const unlinked = (sentence) => sentence.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1');
const link = (file) => `[${basename(file)}](../${file})`;
const linkTest = ({ file, title, code, codes = [] }) => {
  const name = code ?? codes[0];
  return `[${basename(file).replace('.test.ts', '')}](../${file}) ${name ?? `“${short(title)}”`}`;
};
const short = (title) => (title.length > 70 ? `${title.slice(0, 67)}…` : title).replaceAll('|', '\\|');
