/** What an endorsement is based on. */
export const POLICY_ENDORSE = 'POLICY_ENDORSE';
/** A list of insured persons as an insurer or employer sent it. */
export const POLICY_LIST = 'POLICY_LIST';
/** What a premium order or a receipt is based on. */
export const POLICY_VOUCHER = 'POLICY_VOUCHER';
