import type { ProductLine } from '../../contract/businessLines.ts';
import type { BenefitTier, Plan, VersionDocument } from '../../contract/model/document.ts';
import { lineForms } from '../../contract/products/lineForms.ts';

/** What every part of the editor takes. */
export interface PartProps {
  document: VersionDocument;
  change(patch: Partial<VersionDocument>): void;
  faultOf(path: string): string | undefined;
  line: ProductLine;
}

/** A list with one of its items changed. */
export const withItem = <T extends object>(list: readonly T[], index: number, patch: Partial<T>): T[] =>
  list.map((one, at) => (at === index ? { ...one, ...patch } : one));

export const blankTier = (): BenefitTier => ({
  social: 'ANY',
  preExisting: 'ANY',
  monthFrom: 0,
  monthTo: 999,
  fromFen: 0,
  toFen: null,
  rateBp: 8000,
});

/** The row after the last: it goes on where a ladder has got to. */
export function nextTier(tiers: readonly BenefitTier[]): BenefitTier {
  const last = tiers.at(-1);
  return last?.toFen ? { ...last, fromFen: last.toFen, toFen: null } : (last ?? blankTier());
}

/** What rates of a business line can differ by. */
export function tierColumnsOf(line: ProductLine): readonly (keyof BenefitTier)[] {
  const dimensions = lineForms[line].tierDimensions;
  return [
    ...(dimensions.includes('social') ? (['social'] as const) : []),
    ...(dimensions.includes('preExisting') ? (['preExisting'] as const) : []),
    ...(dimensions.includes('month') ? (['monthFrom', 'monthTo'] as const) : []),
    ...(dimensions.includes('ladder') ? (['fromFen', 'toFen'] as const) : []),
    'rateBp' as const,
  ];
}

/** A record whose key is another now; null: it is gone. */
function rekeyed<T>(record: Readonly<Record<string, T>>, from: string, to: string | null): Record<string, T> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([key, value]) => (key !== from ? [[key, value] as const] : to === null ? [] : [[to, value] as const])),
  );
}

/** What plans have otherwise follows the code of what they have it of, and goes with it. */
export const plansAfter = (plans: readonly Plan[], of: keyof Plan['overrides'], from: string, to: string | null): Plan[] =>
  plans.map((plan) => {
    const { groups, benefits } = plan.overrides;
    const overrides = of === 'groups' ? { groups: rekeyed(groups, from, to), benefits } : { groups, benefits: rekeyed(benefits, from, to) };
    return from in plan.overrides[of] ? { ...plan, overrides } : plan;
  });

/** The code that was typed over, where it meant one thing and the new one means no other. */
export function renamed(before: readonly string[], after: readonly string[]): { from: string; to: string } | null {
  if (before.length !== after.length) return null;
  const at = after.findIndex((code, index) => code !== before[index]);
  const from = before[at];
  const to = after[at];
  if (from === undefined || to === undefined || before.includes(to) || before.filter((code) => code === from).length > 1) return null;
  return { from, to };
}
