export const CARD_VOUCHER = 'CARD_VOUCHER';
export const CARD_CONFIRM = 'CARD_CONFIRM';
