import type { Message } from '@bourse/events';

/** A command once more, with one pass more than it had: of its copies the one with the most passes is run. */
export const passedOn = (message: Message): Message => ({
  ...message,
  context: { acceptedAt: 0, ...message.context, passes: (message.context?.passes ?? 0) + 1 },
});
