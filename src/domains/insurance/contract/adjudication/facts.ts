import type { TypedFact, TypedFacts } from '#kernel/contract/rules/groups.ts';
import { daysBetween } from '#kernel/contract/time.ts';
import { decimalTimes } from './integers.ts';
import type { AdjudicationInput, LineInput } from './input.ts';
import type { LineSpec } from './spec.ts';

/** Thousandths as a decimal text: 1500 → `1.5`. */
export function decimalOf(milli: number): string {
  const whole = Math.trunc(milli / 1000);
  const rest = String(milli % 1000)
    .padStart(3, '0')
    .replace(/0+$/, '');
  return rest === '' ? String(whole) : `${whole}.${rest}`;
}

/** What the claim itself says, whatever its caller wrote among the facts. */
export function claimFacts({ claim, cover, lines, facts }: AdjudicationInput): TypedFacts {
  const earliest = lines.map(({ serviceDate }) => serviceDate).toSorted()[0]!;
  return {
    ...facts,
    'claim.amount': String(lines.reduce((sum, { amountFen }) => sum + amountFen, 0)),
    'claim.type': claim.claimType,
    'claim.delayDays': String(daysBetween(earliest, claim.submittedOn)),
    'claim.materials': claim.materials,
    'dx.icd10': claim.icd10,
    'dx.sinceStartDays': claim.firstDiagnosedOn === null ? null : String(daysBetween(cover.coverageStart, claim.firstDiagnosedOn)),
  };
}

const truth = (held: boolean): TypedFact => (held ? '1' : '0');

/** The same with what one line says; `listed` is its row of the drug list. */
export function lineFacts(input: AdjudicationInput, ofClaim: TypedFacts, line: LineInput, listed: LineSpec | null): TypedFacts {
  return {
    ...ofClaim,
    ...line.facts,
    'claim.delayDays': String(daysBetween(line.serviceDate, input.claim.submittedOn)),
    'line.medicineId': line.medicineId,
    ...(listed && { 'line.genericName': listed.genericName, 'line.geneRequired': truth(listed.geneRequirement !== '') }),
    'line.unitPrice': String(line.unitPriceFen),
    'line.qty': decimalOf(line.qtyMilli),
  };
}

/** What a fact says times a whole number; null where it is missing or is no number: never zero for want of a value. */
export function numberOf(facts: TypedFacts, name: string, factor = 1): number | null {
  const fact = facts[name];
  return typeof fact === 'string' ? decimalTimes(fact, factor, 1) : null;
}
