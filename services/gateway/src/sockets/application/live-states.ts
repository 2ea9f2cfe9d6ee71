import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { isPrivateEvent, PRIVATE_EVENTS, type PrivateEvent } from '@bourse/contract';
import { Views } from '@bourse/messaging';
import { PrivateEvents } from './private-events.js';

/** Channels on which services publish private states that are sent and not kept: `live/<event>`. */
const CHANNELS = 'live/';

interface State {
  readonly userId: number;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Forwards private states of which only the newest counts from a view to the sockets (api §4, `lever_trade`). */
@Injectable()
export class LiveStates implements OnApplicationBootstrap, OnApplicationShutdown {
  private unsubscribe: () => void = () => undefined;

  constructor(
    private readonly views: Views,
    private readonly events: PrivateEvents,
  ) {}

  onApplicationBootstrap(): void {
    this.unsubscribe = this.views.subscribe(CHANNELS, ({ userId, payload }: State, channel) => {
      const event = channel.slice(CHANNELS.length);
      if (isPrivateEvent(event) && (PRIVATE_EVENTS[event] as PrivateEvent).lane !== 'numbered')
        this.events.add(userId, event, payload);
    });
  }
  onApplicationShutdown(): void {
    this.unsubscribe();
  }
}
