import { Injectable } from '@nestjs/common';
import type { AcceptorDeal as ShownDeal } from '@bourse/contract';
import { Clock, Config, signedUpload, type CallContext } from '@bourse/platform';
import type { AcceptorDeal } from '../domain/acceptor-deal.js';
import { shownAcceptorDeal } from './acceptor-answers.js';

/** Deals of acceptors as those who may see them do. */
@Injectable()
export class AcceptorViews {
  constructor(
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  deal(deal: AcceptorDeal, isAcceptor: boolean, lang: CallContext['lang'] = 'en'): ShownDeal {
    const { internalSecret: secret } = this.config;
    return shownAcceptorDeal(deal, { isAcceptor, lang, now: this.clock.now(), secret, real: this.clock.real() });
  }

  /** Address of what somebody has objected with, for who decides. */
  objection({ evidence }: AcceptorDeal): string {
    return signedUpload(this.config.internalSecret, evidence, this.clock.real());
  }
}
