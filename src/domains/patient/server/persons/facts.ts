import { regionName } from '#domains/identity/server/index.ts';
import type { Db } from '#kernel/server/context.ts';
import type { BaseInfo } from '../../contract/calls/panel.ts';
import { own } from '../database.ts';
import type { Seen } from '../access.ts';
import { briefOf } from './brief.ts';

export const coverLabelsOf = (covers: unknown): string[] => [...new Set((covers as { label: string }[]).map(({ label }) => label))];

/** What whoever opens the record must see first. */
export function alertsOf(seen: Seen, followUpStopped: boolean, medical: boolean): BaseInfo['alerts'] {
  return [
    ...(seen.lifeState === 'DECEASED' ? [{ kind: 'DECEASED' as const, text: `患者已于${seen.deceasedOn}身故` }] : []),
    ...(seen.state === 'FROZEN' ? [{ kind: 'FROZEN' as const, text: '档案已冻结' }] : []),
    ...(medical && seen.allergyHistory.trim() !== '' && seen.allergyHistory.trim() !== '无'
      ? [{ kind: 'ALLERGY' as const, text: seen.allergyHistory }]
      : []),
    ...(followUpStopped ? [{ kind: 'FOLLOW_UP_STOPPED' as const, text: '患者已停发随访' }] : []),
  ];
}

export const medicalOf = (seen: Seen) => ({
  heightCm: seen.heightCm,
  weightG: seen.weightG,
  bloodType: seen.bloodType,
  allergyHistory: seen.allergyHistory,
  pastHistory: seen.pastHistory,
  familyHistory: seen.familyHistory,
  smoking: seen.smoking,
  drinking: seen.drinking,
  pregnancyState: seen.pregnancyState,
});

export const mergedFromOf = (seen: Seen) => (seen.askedId === seen.id ? null : { patientId: seen.askedId, patientNo: seen.askedNo });

/** Region and address down to the district (R9). */
export async function placeOf(db: Db, seen: Seen): Promise<{ region: string | null; addressMasked: string | null }> {
  const region = seen.adcode === null ? null : await regionName(db, seen.adcode);
  return { region, addressMasked: seen.addressCipher === null ? null : `${region ?? ''}****` };
}

export async function followUpStopped(db: Db, groupIds: readonly string[]): Promise<boolean> {
  const row = await own(db)
    .selectFrom('patientConsentState')
    .select('state')
    .where('patientId', 'in', [...groupIds])
    .where('consentType', '=', 'FOLLOW_UP')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.state === 'WITHDRAWN';
}

/** The base section of the record and of the consultation panel. */
export async function baseInfoOf(db: Db, seen: Seen, today: string): Promise<BaseInfo> {
  return {
    ...briefOf(seen, today),
    mergedFrom: mergedFromOf(seen),
    ...(await placeOf(db, seen)),
    occupation: seen.occupation,
    medicalInsuranceType: seen.medicalInsuranceType,
    ...medicalOf(seen),
    coverLabels: coverLabelsOf(seen.covers),
    deceasedOn: seen.deceasedOn,
    alerts: alertsOf(seen, await followUpStopped(db, seen.groupIds), true),
  };
}
