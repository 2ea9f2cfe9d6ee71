import sanitize from 'sanitize-html';

/**
 * Leaves of a text only what a news item needs: paragraphs, lists, emphasis and links. No style, script, event or
 * `javascript:`; links to other places open apart and cannot reach back (invariants §4). Applied when news are written
 * and again when they are read.
 */
export function cleanHtml(html: string): string {
  return sanitize(html, {
    allowedTags: [
      'p',
      'br',
      'strong',
      'em',
      'b',
      'i',
      'ul',
      'ol',
      'li',
      'h2',
      'h3',
      'h4',
      'blockquote',
      'code',
      'a',
      'table',
      'thead',
      'tbody',
      'tr',
      'th',
      'td',
    ],
    allowedAttributes: { a: ['href', 'target', 'rel'] },
    allowedSchemes: ['https', 'http', 'mailto'],
    allowProtocolRelative: false,
    transformTags: {
      a: (tagName, { href = '' }): sanitize.Tag => ({
        tagName,
        attribs:
          href.startsWith('/') && !href.startsWith('//')
            ? { href }
            : { href, target: '_blank', rel: 'noopener noreferrer' },
      }),
    },
  });
}

/** Plain texts (titles, abstracts) lose every tag. */
export function plainText(text: string): string {
  return sanitize(text, {
    allowedTags: [],
    allowedAttributes: {},
    textFilter: (part) => part.replaceAll('&amp;', '&').replaceAll('&quot;', '"'),
  });
}
