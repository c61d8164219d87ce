import type { Day } from '#kernel/contract/time.ts';
import type { AdjudicationReason } from '../reasons/codes.ts';
import type { AdjudicationInput, LineInput } from './input.ts';
import type { BenefitSpec, FormularySpec, LineSpec, VersionSpec } from './spec.ts';

const rowsOf = new WeakMap<FormularySpec, Map<string, LineSpec[]>>();
/** Rows of a drug list by medicine, sorted once per list. */
function rowsBy(list: FormularySpec): Map<string, LineSpec[]> {
  const known = rowsOf.get(list);
  if (known) return known;
  const made = new Map<string, LineSpec[]>();
  for (const row of list.lines) made.set(row.medicineId, [...(made.get(row.medicineId) ?? []), row]);
  rowsOf.set(list, made);
  return made;
}

const isOf = (codes: readonly string[], prefixes: readonly string[]) =>
  prefixes.length === 0 || codes.some((code) => prefixes.some((prefix) => code.startsWith(prefix)));

/** The version of a benefit's drug list that holds on a day. */
function listOn({ formularies }: VersionSpec, benefit: BenefitSpec, day: Day): FormularySpec | null {
  if (benefit.formularyMode === 'PINNED')
    return formularies.find(({ formularyVersionId }) => formularyVersionId === benefit.formularyVersionId) ?? null;
  return (
    formularies.find(
      ({ formularyId, effectiveFrom, effectiveTo }) =>
        formularyId === benefit.formularyId && effectiveFrom <= day && (effectiveTo === null || day <= effectiveTo),
    ) ?? null
  );
}

export interface Matched {
  benefit: BenefitSpec;
  /** Null: the benefit has no drug list. */
  list: FormularySpec | null;
  row: LineSpec | null;
}

/** The first benefit of a line whose claim type, disease and drug list match, or why there is none. */
export function matchBenefit(spec: VersionSpec, { claim }: AdjudicationInput, line: LineInput): Matched | AdjudicationReason {
  const ofType = spec.benefits
    .filter(({ claimTypes }) => claimTypes.includes(claim.claimType))
    .toSorted((one, other) => one.priority - other.priority || (one.benefitCode < other.benefitCode ? -1 : 1));
  if (ofType.length === 0) return 'L22';
  // The nearest miss is told: a medicine of the list whose diagnosis differs, before one that is on no list.
  let why: AdjudicationReason = 'L04';
  for (const benefit of ofType) {
    const inDisease = isOf(claim.icd10, benefit.diseasePrefixes);
    if (benefit.formularyId === null) {
      if (inDisease) return { benefit, list: null, row: null };
      why = 'L05';
      continue;
    }
    const list = listOn(spec, benefit, line.serviceDate);
    const rows = list ? (rowsBy(list).get(line.medicineId) ?? []) : [];
    if (!list || rows.length === 0) continue;
    if (benefit.drugScope.length > 0 && !benefit.drugScope.includes(line.medicineId)) {
      if (why === 'L04') why = 'L22';
      continue;
    }
    const row = rows.find(({ icd10Prefixes }) => isOf(claim.icd10, icd10Prefixes));
    if (row && inDisease) return { benefit, list, row };
    why = 'L05';
  }
  return why;
}
