/** Clauses of a product version: a PDF whose hash is kept with the version. */
export const CLAUSE_FILE = 'INSURANCE_CLAUSE';
