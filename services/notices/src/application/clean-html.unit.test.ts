import { describe, expect, test } from '@jest/globals';
import { cleanHtml, plainText } from './clean-html.js';

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
  });

  test('titles have no tags at all', () => {
    expect(plainText('<b>Fees</b> & more')).toBe('Fees & more');
  });
});
