// Mistakes that the tests of personal notices must find.
const store = 'services/notices/src/adapters/persistence/postgres-notices.ts';
const writer = 'services/notices/src/application/notice-writer.ts';
const notice = 'services/notices/src/domain/notice.ts';
const words = 'services/notices/src/application/notice-words.ts';
const storeTest = 'services/notices/test/integration/notices.int.test.ts';
const wordsTest = 'services/notices/src/application/notice-words.unit.test.ts';

export const PLANTED = [
  {
    id: 'notices-01',
    what: 'a person opens the notice of another and it counts as read',
    breaks: 'NOTICE-014',
    file: store,
    find: 'where id = $1::bigint and user_id = $2 returning',
    replace: 'where id = $1::bigint and $2::bigint is not null returning',
    test: storeTest,
    name: 'is read only by its recipient',
  },
  {
    id: 'notices-02',
    what: 'an opened notice still counts as unread',
    breaks: 'NOTICE-014',
    file: store,
    find: '(count(*) filter (where read_at is null))::int as unread',
    replace: 'count(*)::int as unread',
    test: storeTest,
    name: 'is read only by its recipient',
  },
  {
    id: 'notices-03',
    what: 'a person receives a notice with the same id twice',
    breaks: 'NOTICE-012',
    file: writer,
    find: 'source: id, texts: null',
    replace: 'source: `${id}:${Math.random()}`, texts: null',
    test: storeTest,
    name: 'is stored once for each person, however often it arrives',
  },
  {
    id: 'notices-04',
    what: "a message without a text in the reader's language is shown in its last language instead of English",
    breaks: 'NOTICE-011',
    file: notice,
    find: "[lang, 'en' as const, ...written]",
    replace: '[lang, ...written.toReversed()]',
    test: wordsTest,
    name: 'keeps its words, clean, in the language it has',
  },
  {
    id: 'notices-05',
    what: "people's words are rendered as markup in a notice",
    breaks: 'NOTICE-010',
    file: words,
    find: '`<p>${escapeText(translate(lang, `notice.${kind}.content`, params))}</p>`',
    replace: '`<p>${translate(lang, `notice.${kind}.content`, params)}</p>`',
    test: wordsTest,
    name: 'the words of people in them are no markup',
  },
];
