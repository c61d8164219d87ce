import { dictionary } from '../../../kernel/contract/dictionary.ts';

export { cardTemplates } from './dictionaries.ts';

/** What a card shows besides name, title and hospital. */
export const cardFields = dictionary('doctor.cardField', {
  AVATAR: '头像',
  DEPARTMENT: '科室',
  DISEASES: '擅长病种',
  SPECIALTY: '擅长',
  INTRO: '简介',
});
export type CardField = (typeof cardFields.codes)[number];
/** Fields of a card that nobody arranged. */
export const usualFields: readonly CardField[] = ['AVATAR', 'DEPARTMENT', 'DISEASES', 'SPECIALTY'];
