import { Injectable } from '@nestjs/common';
import { withoutHiddenCharacters, type Appeal as AppealView } from '@bourse/contract';
import { translate } from '@bourse/i18n';
import { timeText } from '@bourse/platform';
import { STATE_CODES, type Appeal } from '../domain/appeal.js';
import { SELLER_RESPONSE_MS } from '../../deals/domain/deal.js';
import { AppealStore, type AppealEvent, type Evidence } from './ports.js';
import { ChatWriter } from '../../chat/application/chat-writer.js';
import type { SignLink } from '../../chat/application/views.js';

const HOUR_MS = 3_600_000;

/** An appeal with its evidence and events. */
export interface WholeAppeal {
  readonly appeal: Appeal;
  readonly evidence: readonly Evidence[];
  readonly events: readonly AppealEvent[];
}

/** Renders appeals for both sides. */
@Injectable()
export class AppealViews {
  constructor(
    private readonly store: AppealStore,
    private readonly writer: ChatWriter,
  ) {}

  /** Loads evidence and events in their order. */
  async loadWhole(appeals: readonly Appeal[]): Promise<readonly WholeAppeal[]> {
    const ids = appeals.map(({ id }) => id);
    const [evidence, events] = await Promise.all([this.store.listEvidence(ids), this.store.listEvents(ids)]);
    return appeals.map((appeal) => ({
      appeal,
      evidence: evidence.get(appeal.id) ?? [],
      events: events.get(appeal.id) ?? [],
    }));
  }

  async findView(appeal: Appeal, lang: string): Promise<AppealView> {
    const [whole] = await this.loadWhole([appeal]);
    return toAppealView(whole!, lang, this.writer.signLink);
  }
}

/** Renders an appeal in the reader's language, without the notes of operators. */
export function toAppealView({ appeal, evidence, events }: WholeAppeal, lang: string, link: SignLink): AppealView {
  return {
    id: appeal.id,
    deal_id: appeal.dealId,
    opened_by: appeal.openedBy,
    state: STATE_CODES[appeal.state],
    reason: toReasonText(appeal, lang),
    evidence: evidence.map(({ by, picture, text, at }) => ({
      by,
      url: link(picture),
      text: withoutHiddenCharacters(text),
      time: timeText(at),
    })),
    timeline: events
      .filter(({ isShown }) => isShown)
      .map(({ at, key, params }) => ({ time: timeText(at), text: translate(lang, key, params) })),
    decision_due: timeText(appeal.due),
    decision: withoutHiddenCharacters(appeal.decision),
  };
}

/** An appeal of the system has a text of the exchange as its reason. */
export const toReasonText = ({ openedBy, reason }: Appeal, lang: string): string =>
  openedBy === 'system'
    ? translate(lang, 'c2c.appealSilence', { hours: SELLER_RESPONSE_MS / HOUR_MS })
    : withoutHiddenCharacters(reason);
