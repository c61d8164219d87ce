import { refuse } from '#kernel/contract/errors.ts';
import type { ErrorDeclaration } from '#kernel/contract/errors.ts';
/** Maker-checker: whoever made a thing may not check it. @throws the refusal of the domain. */
export function assertOtherPerson(makerId: string | null, checkerId: string, error: ErrorDeclaration): void {
  if (makerId !== null && makerId === checkerId) throw refuse(error);
}
