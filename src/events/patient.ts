import * as z from 'zod/mini';
import { textOrNull } from '#kernel/contract/fields.ts';
import { event } from '#kernel/contract/event.ts';

const id = z.string();
const text = z.string();

export const patientRegistered = event(
  'patient.patient.registered',
  z.strictObject({ patientId: id, operatorId: z.nullable(id), name: text, mobileMasked: textOrNull, scanToken: textOrNull, source: text }),
);
export const patientProfileChanged = event(
  'patient.profile.changed',
  z.strictObject({ patientId: id, operatorId: z.nullable(id), nick: text, avatarFileId: z.nullable(id) }),
);
/** `idType` and `idNoHash` only where the state is VERIFIED. */
export const realNameChanged = event(
  'patient.realName.changed',
  z.strictObject({ patientId: id, state: text, idType: textOrNull, idNoHash: textOrNull }),
);
export const recordChanged = event(
  'patient.record.changed',
  z.strictObject({ patientId: id, kind: z.enum(['DIAGNOSIS', 'TREATMENT', 'TEXT', 'SUGGESTED', 'INSPECTION', 'ORDER']), at: text }),
);
/** A value beyond its critical range. */
export const indicatorAlerted = event('patient.indicator.alerted', z.strictObject({ patientId: id, code: text, value: text, at: text }));
export const consentChanged = event(
  'patient.consent.changed',
  z.strictObject({ patientId: id, consentType: text, state: z.enum(['VALID', 'WITHDRAWN', 'LAPSED', 'NONE']), at: text }),
);
export const patientDeceased = event('patient.patient.deceased', z.strictObject({ patientId: id, on: text }));
export const patientCancelled = event('patient.patient.cancelled', z.strictObject({ patientId: id, on: text }));
const accounts = z.strictObject({ patientId: id, operatorIds: z.array(id) });
export const patientFrozen = event('patient.patient.frozen', accounts);
export const patientUnfrozen = event('patient.patient.unfrozen', accounts);
const merging = z.strictObject({ fromId: id, intoId: id });
export const patientMerged = event('patient.patient.merged', merging);
export const patientUnmerged = event('patient.patient.unmerged', merging);
export const patientEvents = [
  patientRegistered,
  patientProfileChanged,
  realNameChanged,
  recordChanged,
  indicatorAlerted,
  consentChanged,
  patientDeceased,
  patientCancelled,
  patientFrozen,
  patientUnfrozen,
  patientMerged,
  patientUnmerged,
] as const;
