import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const own = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`./reference/${path}`, import.meta.url)), 'utf8');
const api = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../docs/api/${path}`, import.meta.url)), 'utf8');
const library = (path: string): Buffer =>
  readFileSync(createRequire(import.meta.url).resolve(`swagger-ui-dist/${path}`));

const PAGES = [
  ['', 'Start'],
  ['/rest', 'Calls'],
  ['/socket', 'Socket'],
  ['/errors', 'Error keys'],
] as const;

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign);

function page(path: string, title: string, content: string, head = '', isWide = false): string {
  const links = PAGES.map(
    ([to, name]) => `<a href="/docs${to}"${to === path ? ' aria-current="page"' : ''}>${name}</a>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Bourse</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/reference.css">
${head}</head>
<body>
<header><strong><a href="/">Bourse</a></strong>${links.join('')}</header>
<main${isWide ? ' class="wide"' : ''}>
${content}
</main>
<script src="/docs/reference.js"></script>
</body>
</html>
`;
}

/** Rows of the table of keys, as `npm run api` writes them: `| key | text | calls |`. */
export function errorRows(markdown: string): readonly (readonly string[])[] {
  return markdown
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(2, -2)
        .split(/(?<!\\) \| /)
        .map((cell) => cell.replaceAll('\\|', '|')),
    );
}

const inCode = (text: string): string => escaped(text).replace(/`([^`]*)`/g, '<code>$1</code>');

function errors(): string {
  const rows = errorRows(api('errors.md')).map(
    (cells) => `<tr>${cells.map((cell) => `<td>${inCode(cell)}</td>`).join('')}</tr>`,
  );
  return `<h1>Error keys</h1>
<p>A refusal has no effect. Programs test its <code>key</code>; <code>message</code> is this text in the caller's
language.</p>
<table><thead><tr><th>key</th><th>English text</th><th>calls</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>`;
}

interface Message {
  readonly summary?: string;
  readonly payload: object;
}
interface AsyncApi {
  readonly info: { readonly description: string };
  readonly channels: {
    readonly socket: {
      readonly messages: Readonly<Record<string, Message>>;
    };
  };
  readonly operations: Readonly<Record<string, { readonly action: 'send' | 'receive' }>>;
}

function socket(): string {
  const { info, channels, operations } = JSON.parse(api('asyncapi.json')) as AsyncApi;
  const shown = ([name, { summary = '', payload }]: [string, Message]): string =>
    `<details id="${escaped(name)}">` +
    `<summary><code>${escaped(name)}</code> <span>${escaped(summary)}</span></summary>` +
    `<pre><code>${escaped(JSON.stringify(payload, null, 2))}</code></pre></details>`;
  const messages = Object.entries(channels.socket.messages);
  const isSent = ([name]: [string, Message]): boolean => operations[name]?.action === 'send';
  return `<h1>Socket</h1>
<p>${escaped(info.description)}</p>
<h2>The exchange sends</h2>
${messages.filter(isSent).map(shown).join('\n')}
<h2>A client sends, and is answered</h2>
${messages
  .filter((message) => !isSent(message))
  .map(shown)
  .join('\n')}`;
}

/** The reference for programmers at `/docs`: pages made of the committed interface, and Swagger UI for the calls. */
export function apiReference(): Plugin {
  return {
    name: 'api-reference',
    generateBundle() {
      const emit = (fileName: string, source: string | Uint8Array): void => {
        this.emitFile({ type: 'asset', fileName: `docs/${fileName}`, source });
      };
      const swagger =
        '<link rel="stylesheet" href="/docs/swagger-ui.css">\n<script src="/docs/swagger-ui-bundle.js"></script>\n';
      emit('index.html', page('', 'Programs', own('start.html')));
      emit('rest/index.html', page('/rest', 'Calls', '<div id="calls"></div>', swagger, true));
      emit('socket/index.html', page('/socket', 'Socket', socket()));
      emit('errors/index.html', page('/errors', 'Error keys', errors()));
      for (const file of ['reference.css', 'reference.js']) emit(file, own(file));
      for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js']) emit(file, library(file));
    },
  };
}
