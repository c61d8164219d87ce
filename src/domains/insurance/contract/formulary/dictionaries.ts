import { dictionary } from '#kernel/contract/dictionary.ts';

/** 国谈 counts as inside the list. */
export const socialCategories = dictionary('insurance.socialCategory', { INSIDE: '目录内', OUTSIDE: '目录外', NEGOTIATED: '国谈' });
export type SocialCategory = (typeof socialCategories.codes)[number];

export const formularyDictionaries = [socialCategories];
