import { Injectable } from '@nestjs/common';
import { toDataPage, LANGUAGES, type DataPage, type Language } from '@bourse/contract';
import { Clock, Notice, Refused, timeText, uploadName, type Caller, type Page } from '@bourse/platform';
import { recordChange } from '@bourse/settings';
import { changedNews, withoutText, type NewsChange, type WholeNews } from '../domain/news.js';
import { cleanHtml, isSupplied, ownPicture, pictureAddress, picturesOf } from './clean-html.js';
import { NewsItems, NewsPictures, type NewsFilter } from './news-ports.js';
import { NoticesDatabase } from './ports.js';

/** An item of the operators' list, its text in one language. */
export interface ShownNews {
  readonly id: number;
  readonly c_id: number;
  readonly title: string;
  readonly abstract: string;
  readonly content: string;
  /** Languages that have a text of their own; the others read the English one. */
  readonly langs: Language[];
  readonly cover: string;
  readonly link: string;
  readonly pinned: 0 | 1;
  readonly sort: number;
  readonly publish_time: string;
  readonly update_time: string;
}
/** The fields of an operator's change: `id` for an existing item, `cover` as an address. */
export interface NewsFields extends NewsChange {
  readonly id?: number | undefined;
  readonly reason: string;
}

/** News as operators write them (api §2.12). */
@Injectable()
export class NewsAdmin {
  constructor(
    private readonly database: NoticesDatabase,
    private readonly items: NewsItems,
    private readonly pictures: NewsPictures,
    private readonly clock: Clock,
  ) {}

  /** As they are shown to people, and those of the future among them. */
  async list(filter: NewsFilter, lang: Language, page: Page): Promise<DataPage<ShownNews>> {
    return toDataPage(await this.items.list(filter, page), page, (item) => shown(item, lang));
  }

  /**
   * Adds an item or changes one. @throws Refused `upload.required` for a picture that is not an upload of ours,
   * `common.notFound`, and the refusals of `changedNews`.
   */
  async save(operator: Caller, fields: NewsFields): Promise<Notice> {
    const { id, reason, ...change } = fields;
    const cover = change.cover === undefined || change.cover === '' ? change.cover : pictureName(change.cover);
    const content = change.content === undefined ? undefined : cleanHtml(change.content);
    await this.claim(cover ?? '', picturesOf(content ?? ''));
    const saved = await this.database.transaction(async (tx) => {
      const before = id === undefined ? null : await this.items.lock(tx, id);
      if (id !== undefined && !before) throw new Refused('common.notFound', {}, { field: 'id' });
      const after = changedNews(before, { ...change, cover, content }, this.clock.now());
      if ('key' in after) throw new Refused(after.key, { field: after.field }, { field: after.field });
      const stored = await this.items.save(tx, after);
      const what = { before: before ? trail(before, change.lang) : {}, after: trail(after, change.lang) };
      recordChange(tx, { ...this.change(operator, stored, reason), action: 'news.save', ...what });
      return stored;
    });
    return new Notice('admin.newsSaved', { id: saved });
  }

  /** Takes away one language, or the whole item with its English text. @throws Refused `common.notFound` */
  async remove(operator: Caller, fields: { id: number; lang: Language; reason: string }): Promise<Notice> {
    const { id, lang, reason } = fields;
    await this.database.transaction(async (tx) => {
      const before = await this.items.lock(tx, id);
      if (!before?.texts[lang]) throw new Refused('common.notFound', {}, { field: 'id' });
      const after = withoutText(before, lang, this.clock.now());
      if (after) await this.items.save(tx, after);
      else await this.items.remove(tx, id);
      const what = { before: trail(before, lang), after: after ? trail(after, lang) : {} };
      recordChange(tx, { ...this.change(operator, id, reason), action: 'news.remove', ...what });
    });
    return new Notice('admin.newsRemoved');
  }

  private async claim(cover: string, inText: readonly string[]): Promise<void> {
    const names = [...new Set([cover, ...inText])].filter((name) => name !== '' && !isSupplied(name));
    const ours = await this.pictures.claim(names);
    const stranger = names.find((name) => !ours.has(name));
    if (stranger !== undefined)
      throw new Refused('upload.required', {}, { field: stranger === cover ? 'cover' : 'content' });
  }

  private change({ userId: operatorId, accountNumber: operator }: Caller, id: number, reason: string) {
    const by = { operatorId, operator, reason };
    return { service: 'notices', target: `news ${id}`, by, at: this.clock.now() };
  }
}

/** @throws Refused `upload.required` for an address outside this exchange. */
function pictureName(address: string): string {
  if (isSupplied(address)) return address;
  const own = ownPicture(address);
  const name = own === null ? null : uploadName(own);
  if (name === null) throw new Refused('upload.required', {}, { field: 'cover' });
  return name;
}

function shown(item: WholeNews, lang: Language): ShownNews {
  const text = item.texts[lang] ?? item.texts.en;
  if (!text) throw new Error(`invariant: news ${item.id} has no text`);
  return {
    ...{ id: item.id, c_id: item.category, ...text, content: cleanHtml(text.content) },
    langs: LANGUAGES.filter((one) => item.texts[one] !== undefined),
    cover: pictureAddress(item.cover),
    link: item.link,
    pinned: item.isPinned ? 1 : 0,
    sort: item.place,
    publish_time: timeText(item.publishedAt),
    update_time: timeText(item.updatedAt),
  };
}

const trail = (item: WholeNews, lang: Language): object => {
  const { id: _, updatedAt: __, texts, publishedAt, ...rest } = item;
  return { ...rest, publish_time: timeText(publishedAt), lang, ...(texts[lang] ?? {}) };
};
