export const CARD_VOUCHER = 'CARD_VOUCHER';
export const CARD_CONFIRM = 'CARD_CONFIRM';
/** What a change of a card is based on. */
export const CARD_EVIDENCE = 'CARD_EVIDENCE';
