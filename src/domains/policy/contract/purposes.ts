/** What an endorsement is based on. */
export const POLICY_ENDORSE = 'POLICY_ENDORSE';
/** What a premium order or a receipt is based on. */
export const POLICY_VOUCHER = 'POLICY_VOUCHER';
/** A list of insured persons. */
export const POLICY_LIST = 'POLICY_LIST';
