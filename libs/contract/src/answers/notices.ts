import * as z from 'zod/mini';
import { LANGUAGES } from '../envelope.js';
import { flag, timeText } from './values.js';

/** Answers of notices (api §2.10). `content` is clean HTML. */
export const news = z.object({
  id: z.int(),
  c_id: z.int(),
  lang: z.enum(LANGUAGES),
  title: z.string(),
  content: z.string(),
  abstract: z.string(),
  cover: z.string(),
  link: z.string(),
  update_time: timeText,
});
export type News = z.output<typeof news>;
export const notice = z.object({
  id: z.int(),
  lang: z.enum(LANGUAGES),
  title: z.string(),
  content: z.string(),
  create_time: timeText,
  update_time: timeText,
  is_read: flag,
});
export type Notice = z.output<typeof notice>;

/**
 * Kinds of push messages that a person chooses for a device. Alerts come from the device's own price alerts, the others
 * from notices.
 */
export const PUSH_GROUPS = ['trades', 'deals', 'account', 'alerts'] as const;
export type PushGroup = (typeof PUSH_GROUPS)[number];
/** The most price alerts of one device. */
export const PUSH_ALERTS_MAX = 50;
/** A device that a person has switched push messages on for. */
export const pushDevice = z.object({
  id: z.int(),
  /** SHA-256 of its address at the push service, base64url, by which a browser recognizes its own device. */
  mark: z.string(),
  label: z.string(),
  groups: z.array(z.enum(PUSH_GROUPS)),
  create_time: timeText,
  seen_time: timeText,
});
export type PushDevice = z.output<typeof pushDevice>;
export const pushDevices = z.object({ public_key: z.string(), devices: z.array(pushDevice) });
