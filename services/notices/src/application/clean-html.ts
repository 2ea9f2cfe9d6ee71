import { uploadName } from '@bourse/platform';
import sanitize from 'sanitize-html';

const TAGS = [
  ...['p', 'br', 'strong', 'em', 'b', 'i', 'ul', 'ol', 'li', 'h2', 'h3', 'h4', 'blockquote', 'code'],
  ...['a', 'img', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
];
/** The path of uploaded pictures, on whatever host serves the page. */
const OWN = '/api/upload/';

/** Pictures that come with the terminal, under their own address: those of the seeded banners. */
const SUPPLIED = /^\/pictures\/banner-(?:book|account|ledger)\.svg$/;
export const isSupplied = (address: string): boolean => SUPPLIED.test(address);

/** Public address of a picture of news; `''` for none. */
export const pictureAddress = (name: string): string => (name === '' || isSupplied(name) ? name : `${OWN}${name}`);

/** The plain address of one of our own pictures, without origin and query; null for any other picture. */
export function ownPicture(src: string): string | null {
  const name = src.startsWith(OWN) ? uploadName(src) : null;
  return name === null ? null : pictureAddress(name);
}

/**
 * Reduces a text to what a news item needs: paragraphs, lists, emphasis, links and pictures of our own. No style,
 * script, event or `javascript:`; no picture from elsewhere, which would show its host who reads; links to other places
 * open apart and cannot reach back (invariants §4). Applied when news are written and again when they are read.
 */
export function cleanHtml(html: string): string {
  return sanitize(html, {
    allowedTags: TAGS,
    allowedAttributes: { a: ['href', 'target', 'rel'], img: ['src', 'alt', 'loading'] },
    allowedSchemes: ['https', 'http', 'mailto'],
    allowProtocolRelative: false,
    transformTags: { a: cleanLink, img: cleanPicture },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && attribs['src'] === undefined,
  });
}

function cleanLink(tagName: string, { href = '' }: sanitize.Attributes): sanitize.Tag {
  const isOwn = href.startsWith('/') && !/^\/[/\\]/.test(href);
  return { tagName, attribs: isOwn ? { href } : { href, target: '_blank', rel: 'noopener noreferrer' } };
}
function cleanPicture(tagName: string, { src = '', alt = '' }: sanitize.Attributes): sanitize.Tag {
  const own = ownPicture(src);
  return { tagName, attribs: own === null ? {} : { src: own, alt, loading: 'lazy' } };
}

/** Names of the pictures of a clean text. */
export function picturesOf(clean: string): readonly string[] {
  const names: string[] = [];
  sanitize(clean, {
    allowedTags: ['img'],
    allowedAttributes: { img: ['src'] },
    transformTags: {
      img: (tagName, attribs) => {
        const name = uploadName(attribs['src'] ?? '');
        if (name !== null) names.push(name);
        return { tagName, attribs };
      },
    },
  });
  return names;
}

/** The entities that the sanitizer writes for characters; `&` is read last, so that nothing is decoded twice. */
const SIGNS: readonly (readonly [entity: string, sign: string])[] = [
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&amp;', '&'],
];

/** Plain texts (titles, abstracts) lose every tag. They are shown as they are, so signs in them are no entities. */
export function plainText(text: string): string {
  return sanitize(text, {
    allowedTags: [],
    allowedAttributes: {},
    textFilter: (part) => SIGNS.reduce((text, [entity, sign]) => text.replaceAll(entity, sign), part),
  });
}
