import type { Message } from '@bourse/events';

/** A copy of a command with one more pass: of its copies the one with the most passes is executed. */
export const passedOn = (message: Message): Message => ({
  ...message,
  context: { acceptedAt: 0, ...message.context, passes: (message.context?.passes ?? 0) + 1 },
});
