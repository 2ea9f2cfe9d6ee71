/**
 * Attributes of a text that a person wrote: its direction is that of its first letters, and its language is unknown, so
 * that a screen reader does not take it for the language of the page (WCAG 3.1.2).
 */
export const PERSONAL_TEXT = { dir: 'auto', lang: '' } as const;
