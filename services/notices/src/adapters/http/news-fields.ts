import { LANGUAGES, NEWS, type Language } from '@bourse/contract';
import {
  Default,
  Field,
  Flag,
  Given,
  Integer,
  integerReader,
  OneOf,
  PageOf,
  Reason,
  Refused,
  RowId,
  Text,
  textReader,
  Time,
  wordReader,
  type Page,
  type Reader,
} from '@bourse/platform';

/* Fields of the operators' calls on news (api §2.12). */

const LINK_MAX = 500;
const PLACE_MAX = 1_000_000;
const words = Object.fromEntries(LANGUAGES.map((lang) => [lang, lang])) as Record<Language, Language>;
const languages = wordReader(words, {});
const category = integerReader({});
const categories: Reader<number> = {
  ...category,
  read(text, field) {
    const id = category.read(text, field);
    if (!Object.values<number>(NEWS).includes(id)) throw new Refused('common.fieldInvalid', { field }, { field });
    return id;
  },
  schema: { type: 'integer', enum: Object.values(NEWS).sort((one, other) => one - other) },
};
const text = textReader({ min: 0, max: LINK_MAX });
/** An address of the terminal, or one of another place by https. */
const link: Reader<string> = {
  ...text,
  read(given, field) {
    const address = text.read(given, field);
    const isOwn = /^\/(?![/\\])\S*$/.test(address);
    if (address !== '' && !isOwn && !(URL.canParse(address) && new URL(address).protocol === 'https:'))
      throw new Refused('common.fieldInvalid', { field }, { field });
    return address;
  },
};

export class AdminNewsQuery {
  @RowId({ min: 1, optional: true, about: 'One item alone' }) id?: number | undefined;
  @Field(categories, { field: 'c_id', optional: true }) category?: number | undefined;
  @Default<Language>('en', languages, { about: 'Language of the texts; English if it has none' })
  lang!: Language;
  @PageOf(20) page!: Page;
}
export class SaveNewsBody {
  @RowId({ min: 1, optional: true, about: 'An existing item; absent: a new one' }) id?: number | undefined;
  @Field(categories, { field: 'c_id', optional: true, about: 'Required for a new item' }) category?: number | undefined;
  @Default<Language>('en', languages, { about: 'Language of the texts; the English ones come first' }) lang!: Language;
  @Text({ max: 200, optional: true, about: 'Required if the language has no text yet' }) title?: string | undefined;
  @Text({ min: 0, max: 500, empty: true, optional: true }) abstract?: string | undefined;
  @Text({ max: 60_000, optional: true, about: 'HTML; pictures by the address of /api/admin/upload' })
  content?: string | undefined;
  @Given({ empty: true, about: 'Address of /api/admin/upload; empty: no picture' }) cover?: string | undefined;
  @Field(link, { empty: true, optional: true, about: 'An address of the terminal, or https://…' })
  link?: string | undefined;
  @Flag({ field: 'pinned', optional: true, about: '1: above the others of its category' })
  isPinned?: boolean | undefined;
  @Integer({ field: 'sort', max: PLACE_MAX, optional: true, about: 'Larger numbers come first' })
  place?: number | undefined;
  @Time({ field: 'publish_time', optional: true, about: 'Hidden until then; absent: shown at once' })
  publishedAt?: number | undefined;
  @Reason() reason!: string;
}
export class RemoveNewsBody {
  @RowId({ min: 1 }) id!: number;
  @OneOf(LANGUAGES, { optional: true, about: 'One language alone; absent, or en: the whole item' })
  lang?: Language | undefined;
  @Reason() reason!: string;
}
