import { storedTerms, type CardTerms } from '../../contract/terms.ts';

/** The stored rules of a type or of a pinned version; what an older version did not know yet has its default. */
export const termsOf = (stored: unknown): CardTerms => storedTerms.parse(stored);

/** `激活后365天`, `2026-01-01至2026-12-31`. */
export const validityText = (terms: CardTerms): string =>
  terms.validMode === 'DAYS' ? `激活后${terms.validDays ?? 0}天` : `${terms.validFrom ?? ''}至${terms.validTo ?? ''}`;
