import { describe, expect, test } from '@jest/globals';
import { changedNews, withoutText, type NewsChange, type WholeNews } from './news.js';

const english = { lang: 'en', title: 'Title', abstract: 'Short', content: '<p>Text</p>' } as const;
const made = (change: NewsChange): WholeNews => {
  const item = changedNews(null, change, 1_000);
  if ('key' in item) throw new Error(`${item.key} ${item.field}`);
  return item;
};

describe('items of news [NEWS-002]', () => {
  test('a new one has a category and an English text', () => {
    expect(made({ category: 11, ...english })).toEqual({
      ...{ id: 0, category: 11, cover: '', link: '', isPinned: false, place: 0, publishedAt: 1_000, updatedAt: 1_000 },
      texts: { en: { title: 'Title', abstract: 'Short', content: '<p>Text</p>' } },
    });
    expect(changedNews(null, english, 1)).toEqual({ key: 'common.fieldRequired', field: 'c_id' });
    expect(changedNews(null, { ...english, category: 11, lang: 'de' }, 1)).toEqual({
      key: 'common.fieldInvalid',
      field: 'lang',
    });
    expect(changedNews(null, { category: 11, lang: 'en', content: 'x' }, 1)).toMatchObject({ field: 'title' });
    expect(changedNews(null, { category: 11, lang: 'en', title: 'x' }, 1)).toMatchObject({ field: 'content' });
  });

  test('a change keeps the fields that it does not name', () => {
    const item = { ...made({ category: 34, ...english, cover: 'a.png', link: '/dealCenter' }), id: 7 };
    const pinned = changedNews(item, { lang: 'en', isPinned: true, place: 3, link: '' }, 2_000);
    expect(pinned).toEqual({ ...item, isPinned: true, place: 3, link: '', updatedAt: 2_000 });
    const titled = changedNews(item, { lang: 'en', title: 'Other' }, 2_000);
    expect(titled).toMatchObject({ texts: { en: { title: 'Other', abstract: 'Short', content: '<p>Text</p>' } } });
  });

  test('other languages come beside the English text and go without it', () => {
    const item = made({ category: 11, ...english });
    const both = changedNews(item, { lang: 'de', title: 'Titel', content: '<p>Text</p>' }, 2_000) as WholeNews;
    expect(Object.keys(both.texts)).toEqual(['en', 'de']);
    expect(changedNews(both, { lang: 'fr', title: 'Titre' }, 2_000)).toMatchObject({ field: 'content' });
    expect(Object.keys(withoutText(both, 'de', 3_000)?.texts ?? {})).toEqual(['en']);
    expect(withoutText(both, 'en', 3_000)).toBeNull();
  });
});
