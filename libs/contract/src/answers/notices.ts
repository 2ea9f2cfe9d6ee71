import type { Flag, TimeText } from './values.js';

/** Answers of notices (api §2.10). `content` is clean HTML. */
export interface News {
  id: number;
  c_id: number;
  title: string;
  content: string;
  abstract: string;
  cover: string;
  link: string;
  update_time: TimeText;
}
export interface Notice {
  id: number;
  title: string;
  content: string;
  create_time: TimeText;
  update_time: TimeText;
  is_read: Flag;
}
/** News categories: what `c_id` of `/api/news/list` means. */
export const NEWS = { about: 9, notices: 11, gift: 32, popup: 33, banners: 34, strip: 35, support: 36 } as const;
