/** The bank's paper of money that went back by transfer. */
export const REFUND_VOUCHER = 'REFUND_VOUCHER';
