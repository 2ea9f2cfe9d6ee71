import { describe, expect, test } from '@jest/globals';
import { cleanHtml, ownPicture, picturesOf, plainText } from './clean-html.js';

const NAME = 'dGhpcy1pcy1hLXBpY3R1cmUtb2Ytb3Vycw.png';
const OWN = `<img src="/api/upload/${NAME}" alt="" loading="lazy" />`;

describe('news texts are clean [NOTICE-001]', () => {
  test.each([
    ['<p onclick="steal()">a</p>', '<p>a</p>'],
    ['<script>steal()</script><p>a</p>', '<p>a</p>'],
    ['<a href="javascript:steal()">a</a>', '<a target="_blank" rel="noopener noreferrer">a</a>'],
    ['<a href="JaVa&#x09;script:steal()">a</a>', '<a target="_blank" rel="noopener noreferrer">a</a>'],
    ['<a href="//elsewhere.example/x">a</a>', '<a target="_blank" rel="noopener noreferrer">a</a>'],
    ['<p style="position:fixed" class="x">a</p>', '<p>a</p>'],
    ['<img src="x" onerror="steal()"><svg onload="steal()"></svg><iframe src="/x"></iframe>', ''],
    ['<p>1 &lt; 2 &amp; 3</p>', '<p>1 &lt; 2 &amp; 3</p>'],
  ])('%s becomes %s', (given, clean) => {
    expect(cleanHtml(given)).toBe(clean);
    expect(cleanHtml(clean)).toBe(clean);
  });

  test('links to other places open apart, own ones stay as they are', () => {
    expect(cleanHtml('<a href="https://example.org/">a</a>')).toBe(
      '<a href="https://example.org/" target="_blank" rel="noopener noreferrer">a</a>',
    );
    expect(cleanHtml('<a href="/home" target="_top">a</a>')).toBe('<a href="/home">a</a>');
    expect(cleanHtml('<a href="/\\elsewhere.example">a</a>')).toContain('rel="noopener noreferrer"');
  });

  test('titles have no tags at all', () => {
    expect(plainText('<b>Fees</b> & more')).toBe('Fees & more');
  });

  test.each([
    ['Fees < 1 % & more', 'Fees < 1 % & more'],
    ['1 > 0, "so to say", it\'s', '1 > 0, "so to say", it\'s'],
    ['Fees &lt; 1 % &amp; more', 'Fees < 1 % & more'],
    ['&quot;it&#39;s&quot;', '"it\'s"'],
    // The name of an entity, written out.
    ['&amp;lt; is <i>a sign</i>', '&lt; is a sign'],
    ['<script>steal()</script>a', 'a'],
  ])('a title %s is shown as %s', (given, shown) => {
    expect(plainText(given)).toBe(shown);
  });
});

describe('pictures are our own alone [NEWS-001]', () => {
  test.each([
    [`<img src="/api/upload/${NAME}">`, OWN],
    [`<img src="/api/upload/${NAME}?e=1&s=2" onload="steal()" style="x" width="1">`, OWN],
    [
      `<p>a<img alt="Deposit" src="/api/upload/${NAME}"></p>`,
      `<p>a<img src="/api/upload/${NAME}" alt="Deposit" loading="lazy" /></p>`,
    ],
    [`<img src="https://elsewhere.example/api/upload/${NAME}">`, ''],
    [`<img src="//elsewhere.example/api/upload/${NAME}">`, ''],
    [`<img src="/api/upload/../wallet/out">`, ''],
    [`<img src="/api/upload/short.png">`, ''],
    [`<img src="/api/news/list">`, ''],
    ['<img src="data:image/png;base64,AAAA">', ''],
    [`<img srcset="https://elsewhere.example/a.png 2x" src="/api/upload/${NAME}">`, OWN],
    ['<img>', ''],
  ])('%s becomes %s', (given, clean) => {
    expect(cleanHtml(given)).toBe(clean);
    expect(cleanHtml(clean)).toBe(clean);
  });

  test('only the name of an address is stored', () => {
    expect(ownPicture(`/api/upload/${NAME}?e=1&s=2`)).toBe(`/api/upload/${NAME}`);
    expect(ownPicture(`https://elsewhere.example/api/upload/${NAME}`)).toBeNull();
    expect(ownPicture('')).toBeNull();
  });

  test('pictures in a text are found by name', () => {
    expect(picturesOf(cleanHtml(`<p>${OWN}</p><img src="https://elsewhere.example/x.png">`))).toEqual([NAME]);
    expect(picturesOf('<p>none</p>')).toEqual([]);
  });
});
