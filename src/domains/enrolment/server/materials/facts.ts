import * as z from 'zod/mini';
import { refuseField } from '#kernel/contract/errors.ts';
import { mask } from '#kernel/contract/masking.ts';
import type { Day } from '#kernel/contract/time.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import type { ShownFacts } from '../../contract/calls/otherMaterials.ts';
import { factsOfKind, otherMaterialFacts, pastFacts, type OtherMaterialFacts } from '../../contract/materialFacts.ts';
import type { OtherMaterialKind } from '../../contract/materialStates.ts';

/** Facts are kept as one cipher: accounts and findings stand among them. */
export const sealFacts = (secrets: Secrets, facts: OtherMaterialFacts): string | null =>
  Object.values(facts).every((value) => value === undefined) ? null : secrets.encrypt(JSON.stringify(facts));
export const openFacts = (secrets: Secrets, cipher: string | null): OtherMaterialFacts =>
  cipher === null ? {} : z.parse(otherMaterialFacts, JSON.parse(secrets.decrypt(cipher)));

/** Facts of the kind alone. @throws Refusal SCM90020 for a day that is still to come */
export function factsFor(kind: OtherMaterialKind, facts: OtherMaterialFacts, today: Day): OtherMaterialFacts {
  const { needed, more } = factsOfKind[kind];
  const future = pastFacts.find((key) => (facts[key] ?? '') > today);
  if (future !== undefined) throw refuseField(`facts.${future}`, '日期不能晚于今天');
  const own = new Set<string>([...needed, ...more]);
  return z.parse(
    otherMaterialFacts,
    Object.fromEntries(Object.entries(facts).filter(([key, value]) => own.has(key) && value !== undefined)),
  );
}

/** What a kind cannot pass without and nobody has written. */
export const missingFacts = (kind: OtherMaterialKind, facts: OtherMaterialFacts) =>
  factsOfKind[kind].needed.filter((key) => facts[key] === undefined);

export const shownFacts = (facts: OtherMaterialFacts): ShownFacts => ({
  examinedOn: facts.examinedOn ?? null,
  followUpResult: facts.followUpResult ?? null,
  mobile: facts.mobile === undefined ? null : mask('mobile', facts.mobile),
  payeeName: facts.payeeName ?? null,
  payeeBank: facts.payeeBank ?? null,
  payeeAccount: facts.payeeAccount === undefined ? null : mask('bankCard', facts.payeeAccount),
  drugName: facts.drugName ?? null,
  quantity: facts.quantity ?? null,
  amountFen: facts.amountFen ?? null,
  purchasedOn: facts.purchasedOn ?? null,
  prescribedOn: facts.prescribedOn ?? null,
  note: facts.note ?? null,
});
