import { Default, Given, Id, integerReader, PageOf, Prose, type Page } from '@bourse/platform';

const LINE_MAX = 1_000;

export class ChatQuery {
  @Id() id!: string;
  @Default(0, integerReader({}), { about: 'Only lines with a greater id' }) after!: number;
  @PageOf(50) page!: Page;
}
export class ChatBody {
  @Id() id!: string;
  @Prose({ max: LINE_MAX, optional: true }) text?: string | undefined;
  @Given({ about: 'Address of an upload of the scene chat' }) image?: string | undefined;
}
