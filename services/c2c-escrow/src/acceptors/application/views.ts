import { Injectable } from '@nestjs/common';
import type { AcceptorDeal as ShownDeal } from '@bourse/contract';
import { Clock, Config, signedUpload, timeText, type CallContext, type Caller } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { isUnderDispute, objectableUntil, type AcceptorDeal } from '../domain/acceptor-deal.js';
import { EMPTY_PERSONAL_FIELDS, toAcceptorDealView } from './answers.js';
import { AcceptorContacts } from './contacts.js';
import { ACCEPTOR_DISPUTE_HOURS } from './settings.js';

const HOUR_MS = 3_600_000;

/** The reader of a deal: one of its two sides, or finance. */
export type AcceptorViewer = 'person' | 'acceptor' | 'operator';

/** Renders deals with acceptors. */
@Injectable()
export class AcceptorViews {
  constructor(
    private readonly contacts: AcceptorContacts,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly settings: Settings,
  ) {}

  /** With personal fields: whole while the deal is under way, then masked for the other side. */
  toView(deal: AcceptorDeal, viewer: AcceptorViewer, lang: CallContext['lang'] = 'en'): ShownDeal {
    return { ...this.toBareView(deal, lang), ...this.toPersonalFields(deal, viewer) };
  }
  /** Without personal fields, so that it may be stored. */
  toBareView(deal: AcceptorDeal, lang: CallContext['lang'] = 'en'): ShownDeal {
    const until = objectableUntil(deal, this.settings.get(ACCEPTOR_DISPUTE_HOURS) * HOUR_MS);
    const now = this.clock.now();
    return {
      ...toAcceptorDealView(deal, lang, now),
      ...EMPTY_PERSONAL_FIELDS,
      object_until: until !== null && now < until ? timeText(until) : '',
    };
  }
  /** Adds the personal fields to a view that was stored without them. */
  fillPersonal(shown: ShownDeal, deal: AcceptorDeal, caller: Caller | null | undefined): ShownDeal {
    const viewer = caller ? toViewer(deal, caller) : null;
    return viewer ? { ...shown, ...this.toPersonalFields(deal, viewer) } : shown;
  }

  private toPersonalFields(deal: AcceptorDeal, viewer: AcceptorViewer) {
    const { mobile, account, acceptorAccount } = this.contacts.open(deal.id, deal.facts);
    const isOpen = deal.state === 'open' || isUnderDispute(deal);
    const isWhole = isOpen && (viewer !== 'operator' || deal.stage === 'objected');
    const show = (text: string): string => (isWhole ? text : maskText(text));
    const isOwn = viewer === 'person';
    return {
      mobile: isOwn ? mobile : show(mobile),
      deal_account: isOwn ? account : show(account),
      hes_account: show(viewer === 'acceptor' ? account : acceptorAccount),
      proof_pic: signedUpload(this.config.internalSecret, deal.proof || deal.evidence, this.clock.real()),
    };
  }

  /** Signs the address of the picture of an objection, for finance. */
  signObjection({ evidence }: AcceptorDeal): string {
    return signedUpload(this.config.internalSecret, evidence, this.clock.real());
  }
}

function toViewer({ userId, acceptorId }: AcceptorDeal, caller: Caller): AcceptorViewer | null {
  if (caller.kind === 'operator') return 'operator';
  if (caller.userId === userId) return 'person';
  return caller.userId === acceptorId ? 'acceptor' : null;
}

const SHOWN_CHARACTERS = 4;
/** Masks a text down to its last characters; short texts are masked as a whole. */
const maskText = (text: string): string =>
  text === '' ? '' : `****${text.length > 2 * SHOWN_CHARACTERS ? text.slice(-SHOWN_CHARACTERS) : ''}`;
