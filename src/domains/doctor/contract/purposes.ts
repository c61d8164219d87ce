/** What the pay channel says of a refund whose outcome it did not tell the system (a statement, a picture of its back office). */
export const REFUND_PROOF = 'CONSULT_REFUND_PROOF';
