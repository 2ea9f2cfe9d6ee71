// Mistakes that the tests of news must find.
const clean = 'services/notices/src/application/clean-html.ts';
const news = 'services/notices/src/domain/news.ts';
const cleanTest = 'services/notices/src/application/clean-html.unit.test.ts';
const newsTest = 'services/notices/src/domain/news.unit.test.ts';

export const PLANTED = [
  {
    id: 'news-01',
    what: 'a text shows a picture of another host',
    breaks: 'NEWS-001',
    file: clean,
    find: 'const name = src.startsWith(OWN) ? uploadName(src) : null;',
    replace: 'const name = uploadName(src);',
    test: cleanTest,
    name: 'becomes',
  },
  {
    id: 'news-02',
    what: 'a picture of a foreign host is left without its address',
    breaks: 'NEWS-001',
    file: clean,
    find: "tag === 'img' && attribs['src'] === undefined",
    replace: "tag === 'video' && attribs['src'] === undefined",
    test: cleanTest,
    name: 'becomes',
  },
  {
    id: 'news-03',
    what: 'a link that begins with a slash and a backslash counts as our own',
    breaks: 'NOTICE-001',
    file: clean,
    find: '!/^\\/[/\\\\]/.test(href)',
    replace: "!href.startsWith('//')",
    test: cleanTest,
    name: 'links to other places open apart, own ones stay as they are',
  },
  {
    id: 'news-04',
    what: 'an item begins without an English text',
    breaks: 'NEWS-002',
    file: news,
    find: "if (lang !== 'en' && !item.texts.en)",
    replace: "if (lang !== 'en' && !item.texts)",
    test: newsTest,
    name: 'a new one has a category and an English text',
  },
  {
    id: 'news-05',
    what: 'the English text is removed and the item stays',
    breaks: 'NEWS-002',
    file: news,
    find: "  if (lang === 'en') return null;\n",
    replace: '',
    test: newsTest,
    name: 'other languages come beside the English text and go without it',
  },
];
