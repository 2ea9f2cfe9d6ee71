import { COMPLAINT_KINDS, type ComplaintKind } from '@bourse/contract';
import {
  Default,
  Field,
  OneOf,
  PageOf,
  Reason,
  Refused,
  RowId,
  nameReader,
  proseReader,
  type Page,
  type Reader,
} from '@bourse/platform';
import type { ComplaintState } from '../../domain/complaint.js';

/* Fields of complaints (api §2.10 and §2.12), in the order in which they are refused. */

const IMAGES_MAX = 4;
const SUBJECT_MAX = 100;
const TEXT_MAX = 2_000;

/** Addresses of pictures, with commas between them. */
const addresses: Reader<readonly string[]> = {
  read(text, field) {
    const found = (text ?? '').split(',').map((address) => address.trim());
    if (found.length > IMAGES_MAX || found.includes('')) throw new Refused('common.fieldInvalid', { field }, { field });
    return found;
  },
  schema: {
    type: 'string',
    description: `At most ${IMAGES_MAX} addresses of uploads of the scene evidence, with commas`,
  },
  keys: ['common.fieldInvalid'],
};
const words = (max: number, missing: string): Reader<string> => proseReader({ max, missing });

export class NewComplaintBody {
  @OneOf(COMPLAINT_KINDS) kind!: ComplaintKind;
  @Field(words(SUBJECT_MAX, 'complaint.subjectRequired')) subject!: string;
  @Field(words(TEXT_MAX, 'complaint.textRequired')) text!: string;
  @Default('', nameReader({ max: 64 }), { about: 'Id of the order, deal, deposit …' }) about!: string;
  @Field(addresses, { optional: true }) images?: readonly string[] | undefined;
}
export class ComplaintsQuery {
  @PageOf(20) page!: Page;
}
export class ComplaintQuery {
  @RowId() id!: number;
}
export class ReplyBody {
  @RowId() id!: number;
  @Field(words(TEXT_MAX, 'complaint.textRequired')) text!: string;
  @Field(addresses, { optional: true }) images?: readonly string[] | undefined;
}

export class AdminComplaintsQuery {
  @OneOf(['open', 'answered', 'closed'], { optional: true }) state?: ComplaintState | undefined;
  @RowId({ min: 1, optional: true, about: 'Complaints of one person alone' }) userId?: number | undefined;
  @PageOf(20) page!: Page;
}
export class AnswerBody {
  @RowId() id!: number;
  @Field(words(TEXT_MAX, 'complaint.textRequired')) text!: string;
  @Reason() reason!: string;
}
export class CloseBody {
  @RowId() id!: number;
  @Reason() reason!: string;
}
