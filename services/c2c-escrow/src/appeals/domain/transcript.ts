import { createHash } from 'node:crypto';
import { withoutHiddenCharacters } from '@bourse/contract';

/* The transcript of a deal: one document that can be stored, printed and verified without a server. */

/** A line of the chat, a piece of evidence, or an event. */
export interface TranscriptEntry {
  readonly time: string;
  /** Empty: no author. */
  readonly who: string;
  readonly text: string;
  /** Pictures as `data:` URLs. */
  readonly pictures: readonly string[];
}
export interface TranscriptSection {
  readonly heading: string;
  /** Named facts. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** Rendered while they are written: a document may hold many. */
  readonly entries: Iterable<TranscriptEntry>;
}
/** Texts in the reader's language; none is markup. */
export interface TranscriptPage {
  readonly lang: string;
  readonly dir: 'ltr' | 'rtl';
  readonly title: string;
  readonly made: string;
  readonly sections: readonly TranscriptSection[];
  readonly check: string;
}

const STYLE = [
  'body{font:15px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#111;background:#fff}',
  'h1{font-size:1.4rem}h2{font-size:1.1rem;border-bottom:1px solid #999;margin-top:2rem}',
  'dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem}dt{color:#555}dd{margin:0}',
  'ol{list-style:none;padding:0}li{margin:.75rem 0;break-inside:avoid}time{color:#555;margin-inline-end:.75rem}',
  'p{margin:.25rem 0;white-space:pre-wrap;overflow-wrap:anywhere}',
  'img{display:block;max-width:100%;max-height:30rem;margin:.5rem 0}',
  'footer{margin-top:2rem;color:#555;font-size:.85rem}',
].join('\n');
/** Nothing is loaded and nothing runs: pictures are part of the document, and the one style is allowed by its hash. */
export const TRANSCRIPT_POLICY = `default-src 'none'; img-src data:; style-src 'sha256-${createHash('sha256')
  .update(STYLE)
  .digest('base64')}'; base-uri 'none'; form-action 'none'`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** Escapes a text: no markup, and no character that reverses other words [HARD-506]. */
export const escapeHtml = (text: string): string =>
  withoutHiddenCharacters(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!);

const PICTURE = /^data:image\/(?:jpeg|png|webp);base64,[A-Za-z0-9+/]+=*$/;
function renderPicture(address: string): string {
  if (!PICTURE.test(address)) throw new Error('invariant: a transcript shows only pictures that lie in it');
  return `<img alt="" src="${address}">`;
}

const renderEntry = ({ time, who, text, pictures }: TranscriptEntry): string =>
  [
    `<li><time>${escapeHtml(time)}</time><b>${escapeHtml(who)}</b>`,
    text === '' ? '' : `<p dir="auto">${escapeHtml(text)}</p>`,
    ...pictures.map(renderPicture),
    '</li>',
  ].join('');
const renderFact = ([name, value]: readonly [string, string]): string =>
  `<dt>${escapeHtml(name)}</dt><dd dir="auto">${escapeHtml(value)}</dd>`;
function* renderSection({ heading, facts, entries }: TranscriptSection): Generator<string> {
  yield `<section><h2>${escapeHtml(heading)}</h2>\n`;
  if (facts.length > 0) yield `<dl>${facts.map(renderFact).join('')}</dl>\n`;
  let count = 0;
  for (const each of entries) yield `${(count += 1) === 1 ? '<ol>' : '\n'}${renderEntry(each)}`;
  yield `${count > 0 ? '</ol>\n' : ''}</section>`;
}

/**
 * Renders the document without its signature in pieces of about one entry, so that the caller can yield between them.
 */
export function* renderPieces({ lang, dir, title, made, sections, check }: TranscriptPage): Generator<string> {
  yield `<!doctype html>
<html lang="${escapeHtml(lang)}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(TRANSCRIPT_POLICY)}">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(made)}</p>
`;
  for (const each of sections) {
    yield* renderSection(each);
    yield '\n';
  }
  yield `<footer><p>${escapeHtml(check)}</p></footer>
</body>
</html>
`;
}
/** Renders the document as one text. */
export const renderTranscript = (page: TranscriptPage): string => [...renderPieces(page)].join('');

/** Signs documents. */
export interface TranscriptSigner {
  /** 32 bytes in base64. */
  readonly publicKey: string;
  /** Ed25519, base64; a large document is signed in another thread. */
  sign(bytes: Buffer): Promise<string>;
}
/** Appends the last line of the file, which signs every byte before it. */
export async function signTranscript(html: string, signer: TranscriptSigner): Promise<string> {
  const signature = await signer.sign(Buffer.from(html));
  return `${html}<!-- bourse-transcript key=${signer.publicKey} signature=${signature} -->\n`;
}
