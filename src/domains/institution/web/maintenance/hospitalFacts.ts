import type { HospitalFacts } from '../../contract/hospitalCalls.ts';

export type HospitalValues = Partial<HospitalFacts> & { locateSource?: string | null };

/** The call's facts of what the form holds; what is empty there is the contract's to fill. */
export const factsOf = ({ locateSource: _source, ...values }: HospitalValues) => ({
  ...values,
  name: values.name ?? '',
  level: values.level!,
  kind: values.kind!,
  ownership: values.ownership!,
  adcode: values.adcode ?? '',
});
