import { LANGUAGES, type Language } from '@bourse/contract';
import { Field, Integer, OneOf, PageOf, Reason, Refused, Text, type Page } from '@bourse/platform';

/* Fields of the calls of personal notices (api §2.10, §2.12). */

export class NoticeListBody {
  @PageOf(20) page!: Page;
}
export class NoticeBody {
  @Integer('common.notFound', { missing: 'common.fieldRequired' }) id!: number;
}

const EVERYBODY = 'all';
const USER_ID = /^[1-9]\d{0,15}$/;
const invalid = (key: string, field: string): Refused => new Refused(key, { field }, { field });

/** A person, or everybody: null. */
const Recipient = () =>
  Field<number | null>({
    read(text, field) {
      if (text === undefined) throw invalid('common.fieldRequired', field);
      if (text === EVERYBODY) return null;
      if (!USER_ID.test(text) || !Number.isSafeInteger(Number(text))) throw invalid('common.fieldInvalid', field);
      return Number(text);
    },
    schema: { type: 'string', pattern: `^(${EVERYBODY}|[1-9]\\d{0,15})$` },
    keys: ['common.fieldRequired', 'common.fieldInvalid'],
  });

export class NoticeSendBody {
  @Recipient() userId!: number | null;
  @Text({ max: 200, pattern: /\S/u }) title!: string;
  @Text({ max: 20_000, pattern: /\S/u, about: 'HTML; what is not allowed in a text is left out' }) content!: string;
  @OneOf(LANGUAGES, { optional: true }) lang?: Language | undefined;
  @Reason() reason!: string;
}
