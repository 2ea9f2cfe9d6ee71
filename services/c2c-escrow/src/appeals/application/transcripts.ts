import { Injectable } from '@nestjs/common';
import type { Language } from '@bourse/contract';
import { LOCALES, translate } from '@bourse/i18n';
import { Asks, gatewayAsks, type PartyFacts } from '@bourse/messaging';
import { formatTrimmed, formatUnits } from '@bourse/money';
import { Clock, Refused, timeText } from '@bourse/platform';
import { PRICE_SCALE } from '../../deals/domain/ad.js';
import type { ChatLine, ChatSender } from '../../chat/domain/chat-line.js';
import { showsParties, sideOf, type Deal } from '../../deals/domain/deal.js';
import {
  signTranscript,
  renderPieces,
  type TranscriptEntry,
  type TranscriptPage,
  type TranscriptSection,
} from '../domain/transcript.js';
import { SerialExecutor } from './serial-executor.js';
import { ChatStore } from '../../chat/application/ports.js';
import { AppealStore } from './ports.js';
import { AppealViews, toReasonText, type WholeAppeal } from './views.js';
import { DealParties } from '../../deals/application/parties.js';
import { DealStore } from '../../deals/application/ports.js';
import { TranscriptKey } from './transcript-key.js';

/** Path of the public keys. */
export const KEYS_PATH = '/api/c2c/transcript_keys';
/** Maximum number of pictures of a document, and their total size. */
const PICTURES_MAX = 60;
const BYTES_MAX = 24 * 1024 * 1024;
const ASK_TIMEOUT_MS = 4_000;
/** How many pieces are joined before other work runs, and how many documents may wait. */
const PIECES_BEFORE_YIELD = 20;
const WAITING_MAX = 50;

/** Shared by all sections of one document. */
interface TranscriptContext {
  readonly say: (key: string, params?: Record<string, string | number>) => string;
  readonly lang: string;
  /** `data:` URLs of pictures, by name. */
  readonly pictures: ReadonlyMap<string, string>;
}

/** Writes the signed transcript of a deal for its sides and for operators (rules §6). */
@Injectable()
export class Transcripts {
  private readonly executor = new SerialExecutor(WAITING_MAX);

  constructor(
    private readonly deals: DealStore,
    private readonly chats: ChatStore,
    private readonly appeals: AppealStore,
    private readonly views: AppealViews,
    private readonly parties: DealParties,
    private readonly key: TranscriptKey,
    private readonly asks: Asks,
    private readonly clock: Clock,
  ) {}

  /** @throws Refused `common.notFound` for a person on neither side */
  async createForParty(userId: number, dealId: string, lang: Language): Promise<string> {
    const deal = await this.deals.find(dealId);
    if (!deal || sideOf(deal, userId) === null) throw new Refused('common.notFound', {}, { field: 'id' });
    return this.executor.run(() => this.writeTranscript(deal, lang, showsParties(deal)));
  }

  /** Writes the same document for operators. @throws Refused `common.notFound` */
  async createForOperator(dealId: string, lang: Language): Promise<string> {
    const deal = await this.deals.find(dealId);
    if (!deal) throw new Refused('common.notFound', {}, { field: 'id' });
    return this.executor.run(() => this.writeTranscript(deal, lang, true));
  }

  /** `withNames`: with the certified names of both sides. */
  private async writeTranscript(deal: Deal, lang: Language, withNames: boolean): Promise<string> {
    const dealId = deal.id;
    const chat = await this.chats.listAll(dealId);
    const appeals = await this.views.loadWhole([...(await this.appeals.listOfDeal(dealId))].reverse());
    const pictures = await this.loadPictures([
      deal.proof ?? '',
      ...appeals.flatMap(({ evidence }) => evidence.map(({ picture }) => picture)),
      ...chat.map(({ image }) => image),
    ]);
    const context: TranscriptContext = {
      lang,
      pictures,
      say: (key, params) => translate(lang, `c2c.transcript.${key}`, params),
    };
    const page: TranscriptPage = {
      lang: LOCALES[lang].htmlLang,
      dir: LOCALES[lang].dir,
      title: translate(lang, 'c2c.transcript.title', { id: dealId }),
      made: translate(lang, 'c2c.transcript.made', { time: timeText(this.clock.now()) }),
      sections: [
        this.toDealSection(deal, context, withNames),
        ...appeals.map((appeal) => toAppealSection(appeal, context)),
        toChatSection(chat, context),
      ],
      check: translate(lang, 'c2c.transcript.check', { address: KEYS_PATH }),
    };
    return signTranscript(await joinPieces(renderPieces(page)), this.key);
  }

  private toDealSection(deal: Deal, { say, lang, pictures }: TranscriptContext, withNames: boolean): TranscriptSection {
    const { buyer, seller } = this.parties.open(deal.id, deal.facts);
    const nameOf = ({ realName, name }: PartyFacts): string => (withNames && realName !== '' ? realName : name);
    const number = (units: bigint): string => `${formatTrimmed(units, deal.scale)} ${deal.currencyName}`;
    const fiat = (units: bigint, scale: number): string => `${formatUnits(units, scale)} ${deal.coinCode}`;
    const proof =
      deal.proof === null ? [] : [toEntry(deal.paidAt, say('proof'), '', deal.proof, { say, lang, pictures })];
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

  /** Loads the first pictures one after another, so that each is in memory once. */
  private async loadPictures(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const pictures = new Map<string, string>();
    let bytes = 0;
    for (const name of [...new Set(names)].filter((each) => each !== '').slice(0, PICTURES_MAX)) {
      const found = await this.asks.ask(gatewayAsks.picture, { name }, ASK_TIMEOUT_MS);
      bytes += found?.image.length ?? 0;
      if (bytes > BYTES_MAX) break;
      if (found) pictures.set(name, `data:${found.contentType};base64,${found.image}`);
    }
    return pictures;
  }
}

function toEntry(
  at: number | null,
  who: string,
  text: string,
  image: string,
  { say, pictures }: TranscriptContext,
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

const SENDER_LABELS: Readonly<Record<ChatSender, string>> = {
  buyer: 'buyer',
  seller: 'seller',
  support: 'support',
  system: 'system',
};
const OUTCOME_LABELS = {
  waiting: 'undecided',
  open: 'undecided',
  withdrawn: 'withdrawn',
  buyer: 'forBuyer',
  seller: 'forSeller',
};

function toAppealSection({ appeal, evidence, events }: WholeAppeal, context: TranscriptContext): TranscriptSection {
  const { say, lang } = context;
  const words = appeal.decision === '' ? '' : `: ${appeal.decision}`;
  return {
    heading: say('appeal'),
    facts: [
      [say('openedBy'), say(appeal.openedBy)],
      [say('opened'), timeText(appeal.openedAt)],
      [say('reason'), toReasonText(appeal, lang)],
      [say('decision'), `${say(OUTCOME_LABELS[appeal.state])}${words}`],
      [say('ended'), timeText(appeal.endedAt)],
    ],
    entries: [
      ...evidence.map((piece) => ({
        at: piece.at,
        entry: toEntry(piece.at, `${say('evidence')} · ${say(piece.by)}`, piece.text, piece.picture, context),
      })),
      ...events
        .filter(({ isShown }) => isShown)
        .map(({ at, key, params }) => ({
          at,
          entry: toEntry(at, say('timeline'), translate(lang, key, params), '', context),
        })),
    ]
      .sort((a, b) => a.at - b.at)
      .map(({ entry }) => entry),
  };
}

const toChatSection = (chat: readonly ChatLine[], context: TranscriptContext): TranscriptSection => ({
  heading: context.say('chat'),
  facts: [],
  entries: listChatEntries(chat, context),
});
function* listChatEntries(chat: readonly ChatLine[], context: TranscriptContext): Generator<TranscriptEntry> {
  for (const { at, from, key, params, text, image } of chat)
    yield toEntry(
      at,
      context.say(SENDER_LABELS[from]),
      key === '' ? text : translate(context.lang, key, params),
      image,
      context,
    );
}

/** Joins the pieces and yields to the event loop in between. */
async function joinPieces(pieces: Iterable<string>): Promise<string> {
  const all: string[] = [];
  for (const piece of pieces) {
    all.push(piece);
    if (all.length % PIECES_BEFORE_YIELD === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return all.join('');
}
