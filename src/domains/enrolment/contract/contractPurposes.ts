/** A contract that was signed on paper. */
export const CONTRACT_SIGN = 'CONTRACT_SIGN';
/** Money that came or went by bank. */
export const CONTRACT_PAY_PROOF = 'CONTRACT_PAY_PROOF';
/** What a change of a contract is based on. */
export const CONTRACT_AMEND = 'CONTRACT_AMEND';
