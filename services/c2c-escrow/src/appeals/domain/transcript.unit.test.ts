import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  escapeHtml,
  signTranscript,
  renderPieces,
  renderTranscript,
  TRANSCRIPT_POLICY,
  type TranscriptPage,
  type TranscriptSigner,
} from './transcript.js';

const PIXEL = 'data:image/png;base64,iVBORw0KGgo=';
const EVIL = `</p><script>alert(1)</script><img src=x onerror="alert('2')">&`;
const page: TranscriptPage = {
  lang: 'en',
  dir: 'ltr',
  title: EVIL,
  made: EVIL,
  sections: [
    {
      heading: EVIL,
      facts: [[EVIL, EVIL]],
      entries: [{ time: '2026-01-02 03:04:05', who: EVIL, text: EVIL, pictures: [PIXEL] }],
    },
  ],
  check: EVIL,
};

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const KEY = Buffer.from(publicKey.export({ format: 'jwk' }).x as string, 'base64url').toString('base64');
const signer: TranscriptSigner = {
  publicKey: KEY,
  sign: (bytes) => Promise.resolve(sign(null, bytes, privateKey).toString('base64')),
};

describe('the document', () => {
  test('contains words of people as text everywhere [APPEAL-010]', () => {
    const html = renderTranscript(page);
    expect(html).not.toContain('<script');
    expect(html).not.toContain('onerror="');
    expect(html.match(/<img /g)).toHaveLength(1);
    expect(html).toContain('&lt;script&gt;');
  });

  test('escapes every text to plain text [APPEAL-010]', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(escapeHtml(text)).not.toMatch(/[<>"']/);
        expect(escapeHtml(text).replace(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
      }),
    );
  });

  test('contains its pictures, loads nothing and runs nothing [APPEAL-011]', () => {
    expect(TRANSCRIPT_POLICY).toContain("default-src 'none'; img-src data:");
    expect(TRANSCRIPT_POLICY).not.toContain('unsafe');
    const shown = (address: string): string =>
      renderTranscript({
        ...page,
        sections: [{ heading: '', facts: [], entries: [{ time: '', who: '', text: '', pictures: [address] }] }],
      });
    expect(() => shown('https://example.org/a.png')).toThrow('invariant');
    expect(() => shown(`${PIXEL}" onload="x`)).toThrow('invariant');
    expect(() => shown('data:image/svg+xml;base64,PHN2Zz4=')).toThrow('invariant');
  });
});

describe('the signature', () => {
  const program = fileURLToPath(
    new URL('../../../../../libs/verify/bin/bourse-verify-transcript.mjs', import.meta.url),
  );
  const folder = mkdtempSync(join(tmpdir(), 'bourse-transcript-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const check = (text: string, key = KEY): { readonly status: number | null; readonly said: string } => {
    const file = join(folder, 'deal.html');
    writeFileSync(file, text);
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, file, '--key', key], { encoding: 'utf8' });
    return { status, said: stdout + stderr };
  };
  let signed = '';
  beforeAll(async () => {
    signed = await signTranscript(renderTranscript({ ...page, made: 'äöü 界' }), signer);
  });

  test('verifies an unchanged document without a server [APPEAL-012]', () => {
    expect(check(signed)).toMatchObject({ status: 0 });
  });

  test('rejects a document that was changed, cut, extended, or signed by another key [APPEAL-012]', () => {
    expect(check(signed.replace('2026-01-02', '2026-01-03'))).toMatchObject({ status: 1 });
    expect(check(`${signed}<p>more</p>\n`)).toMatchObject({ status: 1 });
    expect(check(signed.slice(0, -4))).toMatchObject({ status: 1 });
    expect(check(signed, Buffer.alloc(32, 7).toString('base64'))).toMatchObject({ status: 1 });
    expect(check(signed.replace('<h1>', '<h1> ')).said).toContain('changed');
  });
});

test('a long document is rendered on demand in pieces of about one entry [HARD-442]', () => {
  let made = 0;
  const entries = function* () {
    for (; made < 1_000; made += 1) yield { time: '', who: 'a', text: String(made), pictures: [] };
  };
  const pieces = renderPieces({ ...page, sections: [{ heading: 'h', facts: [], entries: entries() }] });
  const seen: string[] = [];
  for (let count = 0; count < 100; count += 1) seen.push(pieces.next().value as string);
  expect(made).toBeLessThan(100);
  for (const piece of pieces) seen.push(piece);
  expect(Math.max(...seen.map(({ length }) => length))).toBeLessThan(4_000);
  expect(seen.join('').match(/<li>/g)).toHaveLength(1_000);
});
