import type { HospitalFacts } from '../../contract/hospitalCalls.ts';

export type HospitalValues = Partial<HospitalFacts> & { locateSource?: string | null };
const orNull = (value: string | null | undefined) => value?.trim() || null;

/** The call's facts of what the form holds. */
export const factsOf = ({ locateSource: _source, ...values }: HospitalValues) => ({
  name: values.name ?? '',
  shortName: values.shortName ?? '',
  level: values.level!,
  kind: values.kind!,
  ownership: values.ownership!,
  adcode: values.adcode ?? '',
  address: values.address ?? '',
  lngE6: values.lngE6 ?? null,
  latE6: values.latE6 ?? null,
  uscc: orNull(values.uscc),
  licenceNo: orNull(values.licenceNo),
  licenceValidTo: values.licenceValidTo ?? null,
  nhsaCode: orNull(values.nhsaCode),
  phone: values.phone ?? '',
  website: values.website ?? '',
  introduction: values.introduction ?? '',
  parentId: values.parentId ?? null,
  campusName: values.campusName ?? '',
  logoFileId: values.logoFileId ?? null,
});
