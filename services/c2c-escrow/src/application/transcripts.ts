import { Injectable } from '@nestjs/common';
import { LOCALES, translate, type LocaleCode } from '@bourse/i18n';
import { Asks, gatewayAsks, type PartyFacts } from '@bourse/messaging';
import { formatTrimmed, formatUnits } from '@bourse/money';
import { Clock, Refused, timeText } from '@bourse/platform';
import { PRICE_SCALE } from '../domain/ad.js';
import type { ChatLine, ChatSender } from '../domain/chat-line.js';
import { showsParties, sideOf, type Deal } from '../domain/deal.js';
import {
  signedTranscript,
  transcriptPieces,
  type TranscriptEntry,
  type TranscriptPage,
  type TranscriptSection,
} from '../domain/transcript.js';
import { OneAtATime } from './one-at-a-time.js';
import { AppealStore, ChatStore } from './appeal-ports.js';
import { AppealViews, reasonOf, type WholeAppeal } from './appeal-views.js';
import { DealPeople } from './deal-facts.js';
import { DealStore } from './deal-ports.js';
import { TranscriptKey } from './transcript-key.js';

/** Where the keys are published. */
export const KEYS_PATH = '/api/c2c/transcript_keys';
/** Pictures that one document holds, the first of them, and what they may weigh together. */
const PICTURES_MAX = 60;
const BYTES_MAX = 24 * 1024 * 1024;
const ASK_MS = 4_000;
/** So many pieces of a document are joined at a time, and so many documents wait for their turn. */
const PIECES_AT_ONCE = 20;
const WAITING_MAX = 50;

/** What all parts of one document share. */
interface Desk {
  readonly say: (key: string, params?: Record<string, string | number>) => string;
  readonly lang: string;
  /** `data:` addresses of pictures, by their names. */
  readonly pictures: ReadonlyMap<string, string>;
}

/** The whole story of a deal for its sides and for operators, signed (rules §6). */
@Injectable()
export class Transcripts {
  private readonly line = new OneAtATime(WAITING_MAX);

  constructor(
    private readonly deals: DealStore,
    private readonly chats: ChatStore,
    private readonly appeals: AppealStore,
    private readonly views: AppealViews,
    private readonly people: DealPeople,
    private readonly key: TranscriptKey,
    private readonly asks: Asks,
    private readonly clock: Clock,
  ) {}

  /** @throws Refused `common.notFound` for who is on neither side. */
  async of(userId: number, dealId: string, lang: LocaleCode): Promise<string> {
    const deal = await this.deals.find(dealId);
    if (!deal || sideOf(deal, userId) === null) throw new Refused('common.notFound', {}, { field: 'id' });
    return this.line.run(() => this.written(deal, lang, showsParties(deal)));
  }

  /** For operators, who are on neither side: the same document. @throws Refused `common.notFound` */
  async ofAny(dealId: string, lang: LocaleCode): Promise<string> {
    const deal = await this.deals.find(dealId);
    if (!deal) throw new Refused('common.notFound', {}, { field: 'id' });
    return this.line.run(() => this.written(deal, lang, true));
  }

  /** `withNames`: with the certified names of both. */
  private async written(deal: Deal, lang: LocaleCode, withNames: boolean): Promise<string> {
    const dealId = deal.id;
    const chat = await this.chats.whole(dealId);
    const appeals = await this.views.whole([...(await this.appeals.ofDeal(dealId))].reverse());
    const pictures = await this.load([
      deal.proof ?? '',
      ...appeals.flatMap(({ evidence }) => evidence.map(({ picture }) => picture)),
      ...chat.map(({ image }) => image),
    ]);
    const desk: Desk = { lang, pictures, say: (key, params) => translate(lang, `c2c.transcript.${key}`, params) };
    const page: TranscriptPage = {
      lang: LOCALES[lang].htmlLang,
      dir: LOCALES[lang].dir,
      title: translate(lang, 'c2c.transcript.title', { id: dealId }),
      made: translate(lang, 'c2c.transcript.made', { time: timeText(this.clock.now()) }),
      sections: [
        this.deal(deal, desk, withNames),
        ...appeals.map((appeal) => appealSection(appeal, desk)),
        chatSection(chat, desk),
      ],
      check: translate(lang, 'c2c.transcript.check', { address: KEYS_PATH }),
    };
    return signedTranscript(await joined(transcriptPieces(page)), this.key);
  }

  private deal(deal: Deal, { say, lang, pictures }: Desk, withNames: boolean): TranscriptSection {
    const { buyer, seller } = this.people.open(deal.id, deal.facts);
    const nameOf = ({ realName, name }: PartyFacts): string => (withNames && realName !== '' ? realName : name);
    const number = (units: bigint): string => `${formatTrimmed(units, deal.scale)} ${deal.currencyName}`;
    const fiat = (units: bigint, scale: number): string => `${formatUnits(units, scale)} ${deal.coinCode}`;
    const proof =
      deal.proof === null ? [] : [entryOf(deal.paidAt, say('proof'), '', deal.proof, { say, lang, pictures })];
    return {
      heading: say('title', { id: deal.id }),
      facts: [
        [say('buyer'), nameOf(buyer)],
        [say('seller'), nameOf(seller)],
        [say('coins'), number(deal.number)],
        [say('price'), fiat(deal.price, PRICE_SCALE)],
        [say('money'), fiat(deal.money, deal.fiatScale)],
        [say('fee'), number(deal.fee)],
        [say('way'), translate(lang, `c2c.way.${deal.way}`)],
        [say('state'), say(deal.state === 'waiting' ? 'unpaid' : deal.state)],
        [say('opened'), timeText(deal.createdAt)],
        [say('paidAt'), timeText(deal.paidAt)],
        [say('ended'), timeText(deal.endedAt)],
      ],
      entries: proof,
    };
  }

  /** The first pictures, one after another: nobody has all of them in memory but once. */
  private async load(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const pictures = new Map<string, string>();
    let bytes = 0;
    for (const name of [...new Set(names)].filter((each) => each !== '').slice(0, PICTURES_MAX)) {
      const found = await this.asks.ask(gatewayAsks.picture, { name }, ASK_MS);
      bytes += found?.image.length ?? 0;
      if (bytes > BYTES_MAX) break;
      if (found) pictures.set(name, `data:${found.contentType};base64,${found.image}`);
    }
    return pictures;
  }
}

function entryOf(
  at: number | null,
  who: string,
  text: string,
  image: string,
  { say, pictures }: Desk,
): TranscriptEntry {
  const shown = pictures.get(image);
  const words = image !== '' && shown === undefined ? [text, `[${say('noPicture')}]`] : [text];
  return {
    time: timeText(at),
    who,
    text: words.filter((each) => each !== '').join('\n'),
    pictures: shown === undefined ? [] : [shown],
  };
}

const WHO: Readonly<Record<ChatSender, string>> = {
  buyer: 'buyer',
  seller: 'seller',
  support: 'support',
  system: 'system',
};
const ENDS = {
  waiting: 'undecided',
  open: 'undecided',
  withdrawn: 'withdrawn',
  buyer: 'forBuyer',
  seller: 'forSeller',
};

function appealSection({ appeal, evidence, events }: WholeAppeal, desk: Desk): TranscriptSection {
  const { say, lang } = desk;
  const words = appeal.decision === '' ? '' : `: ${appeal.decision}`;
  return {
    heading: say('appeal'),
    facts: [
      [say('openedBy'), say(appeal.openedBy)],
      [say('opened'), timeText(appeal.openedAt)],
      [say('reason'), reasonOf(appeal, lang)],
      [say('decision'), `${say(ENDS[appeal.state])}${words}`],
      [say('ended'), timeText(appeal.endedAt)],
    ],
    entries: [
      ...evidence.map((piece) => ({
        at: piece.at,
        entry: entryOf(piece.at, `${say('evidence')} · ${say(piece.by)}`, piece.text, piece.picture, desk),
      })),
      ...events
        .filter(({ isShown }) => isShown)
        .map(({ at, key, params }) => ({
          at,
          entry: entryOf(at, say('timeline'), translate(lang, key, params), '', desk),
        })),
    ]
      .sort((a, b) => a.at - b.at)
      .map(({ entry }) => entry),
  };
}

const chatSection = (chat: readonly ChatLine[], desk: Desk): TranscriptSection => ({
  heading: desk.say('chat'),
  facts: [],
  entries: chatEntries(chat, desk),
});
function* chatEntries(chat: readonly ChatLine[], desk: Desk): Generator<TranscriptEntry> {
  for (const { at, from, key, params, text, image } of chat)
    yield entryOf(at, desk.say(WHO[from]), key === '' ? text : translate(desk.lang, key, params), image, desk);
}

/** Joins pieces into one text, and yields to the event loop in between. */
async function joined(pieces: Iterable<string>): Promise<string> {
  const all: string[] = [];
  for (const piece of pieces) {
    all.push(piece);
    if (all.length % PIECES_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return all.join('');
}
