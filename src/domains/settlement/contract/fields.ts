import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { id, idOut, optionalText, textOrNull, version } from '#kernel/contract/fields.ts';

/** A doctor as lists of this domain name him. */
export const doctorOut = {
  doctorId: idOut,
  doctorNo: field('医生编号', z.string(), { width: 120 }),
  doctorName: field('医生', z.string(), { width: 100 }),
  hospitalName: field('医院', textOrNull, { width: 170 }),
};
export const decision = field('结论', z.enum(['approve', 'reject'], '请选择结论'));
export const verdict = { id, version, decision, opinion: optionalText('意见', 500) };
