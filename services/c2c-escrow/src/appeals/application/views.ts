import { Injectable } from '@nestjs/common';
import { withoutHiddenCharacters, type Appeal as AppealView } from '@bourse/contract';
import { translate } from '@bourse/i18n';
import { timeText } from '@bourse/platform';
import { STATE_CODES, type Appeal } from '../domain/appeal.js';
import { SILENT_MS } from '../../deals/domain/deal.js';
import { AppealStore, type AppealEvent, type Evidence } from './ports.js';
import { ChatLog } from '../../chat/application/chat-log.js';
import type { Link } from '../../chat/application/views.js';

const HOUR_MS = 3_600_000;

/** An appeal with all that belongs to it. */
export interface WholeAppeal {
  readonly appeal: Appeal;
  readonly evidence: readonly Evidence[];
  readonly events: readonly AppealEvent[];
}

/** Appeals as both sides read them. */
@Injectable()
export class AppealViews {
  constructor(
    private readonly store: AppealStore,
    private readonly log: ChatLog,
  ) {}

  /** With evidence and events, in their order. */
  async whole(appeals: readonly Appeal[]): Promise<readonly WholeAppeal[]> {
    const ids = appeals.map(({ id }) => id);
    const [evidence, events] = await Promise.all([this.store.evidenceOf(ids), this.store.eventsOf(ids)]);
    return appeals.map((appeal) => ({
      appeal,
      evidence: evidence.get(appeal.id) ?? [],
      events: events.get(appeal.id) ?? [],
    }));
  }

  async of(appeal: Appeal, lang: string): Promise<AppealView> {
    const [whole] = await this.whole([appeal]);
    return shownAppeal(whole!, lang, this.log.link);
  }
}

/** In the reader's language; what operators note for each other stays theirs. */
export function shownAppeal({ appeal, evidence, events }: WholeAppeal, lang: string, link: Link): AppealView {
  return {
    id: appeal.id,
    deal_id: appeal.dealId,
    opened_by: appeal.openedBy,
    state: STATE_CODES[appeal.state],
    reason: reasonOf(appeal, lang),
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

/** The system's reason is a text of ours. */
export const reasonOf = ({ openedBy, reason }: Appeal, lang: string): string =>
  openedBy === 'system'
    ? translate(lang, 'c2c.appealSilence', { hours: SILENT_MS / HOUR_MS })
    : withoutHiddenCharacters(reason);
