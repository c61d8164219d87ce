/** What an adjustment of income is based on. */
export const INCOME_ADJUST = 'INCOME_ADJUST';
/** What the bank said of a payment by another way than its file. */
export const PAYOUT_PROOF = 'PAYOUT_PROOF';
/** What a pharma company agreed to. */
export const PROGRAM_AGREEMENT = 'PROGRAM_AGREEMENT';
/** What a change of who looks after a doctor is based on. */
export const PERF_PROOF = 'PERF_PROOF';
