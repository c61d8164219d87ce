import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { idOut, instantOut, intOrNull, textOrNull } from '#kernel/contract/fields.ts';
import { frequencies, indicatorFlags, inspectionKinds, invalidReasons, paragraphs, recordSources } from './dictionaries.ts';
import { at } from './fields.ts';
import { inspectionMachine, suggestionMachine } from './states.ts';

/** Sections of the record panel with the only order that each takes (specification section 9). */
export const modules = {
  modular001: { label: '病情资料', orderBy: 'create_time desc' },
  modular002: { label: '用药建议', orderBy: 'prescription_time desc' },
  modular003: { label: '订单', orderBy: 'order_time desc' },
  modular004: { label: '检查检验', orderBy: 'inspection_time desc' },
} as const;
export type ModuleCode = keyof typeof modules;
export const isModule = (code: string): code is ModuleCode => Object.hasOwn(modules, code);
export const HISTORY_ORDER = 'diagnosis_time desc';

export const medicine = z.strictObject({
  medicineId: idOut,
  medicineName: z.string(),
  spec: z.string(),
  isRx: z.boolean(),
  dose: z.string(),
  frequency: frequencies.schema,
  route: z.string(),
  days: z.int(),
  quantity: z.int(),
  unit: z.string(),
});
export type Medicine = z.output<typeof medicine>;
export const orderLine = z.strictObject({
  medicineId: z.nullable(idOut),
  medicineName: z.string(),
  spec: z.string(),
  qty: z.int(),
  daysSupply: intOrNull,
});

export const indicatorOut = z.strictObject({
  id: idOut,
  code: z.string(),
  name: z.string(),
  value: z.string(),
  unit: z.string(),
  rawValue: z.string(),
  rawUnit: z.string(),
  refLow: textOrNull,
  refHigh: textOrNull,
  flag: indicatorFlags.schema,
});
export type IndicatorOut = z.output<typeof indicatorOut>;

/** `patientId` is the id under which the fact came in; after a merge it may be another than the record's. */
const base = { id: idOut, patientId: idOut, version: z.int() };

export const recordTextRow = z.strictObject({
  ...base,
  moduleCode: z.literal('modular001'),
  paragraphCode: paragraphs.schema,
  text: z.string(),
  fileIds: z.array(idOut),
  source: recordSources.schema,
  createdAt: at,
  createdBy: textOrNull,
  updatedAt: at,
});
export const suggestionRow = z.strictObject({
  ...base,
  moduleCode: z.literal('modular002'),
  suggestNo: z.string(),
  groupId: textOrNull,
  serverId: textOrNull,
  doctorId: idOut,
  doctorName: z.string(),
  prescriptionTime: at,
  validUntil: z.string(),
  note: z.string(),
  medicines: z.array(medicine),
  status: suggestionMachine.dictionary.schema,
  orderId: textOrNull,
  invalidReason: z.nullable(invalidReasons.schema),
  withdrawReason: textOrNull,
  confirmedAt: textOrNull,
});
export const orderRow = z.strictObject({
  ...base,
  moduleCode: z.literal('modular003'),
  orderId: idOut,
  orderNo: z.string(),
  bizLine: z.string(),
  orderTime: at,
  statusCode: z.string(),
  statusName: z.string(),
  lines: z.array(orderLine),
  payFen: z.int(),
  drugstoreName: textOrNull,
});
export const inspectionRow = z.strictObject({
  ...base,
  moduleCode: z.literal('modular004'),
  inspectionNo: field('报告编号', z.string(), { width: 144 }),
  kind: field('类型', inspectionKinds.schema),
  itemName: field('项目', z.string(), { width: 160 }),
  hospitalName: field('医院', z.string(), { width: 192 }),
  inspectionTime: field('检查时间', instantOut),
  conclusion: z.string(),
  fileIds: z.array(idOut),
  source: recordSources.schema,
  requestId: textOrNull,
  dueOn: textOrNull,
  status: inspectionMachine.dictionary.schema,
  readBy: textOrNull,
  readAt: textOrNull,
  createdBy: textOrNull,
  indicators: z.array(indicatorOut),
  allowedActions: z.array(z.string()),
});
export const moduleRow = z.discriminatedUnion('moduleCode', [recordTextRow, suggestionRow, orderRow, inspectionRow]);
export type ModuleRow = z.output<typeof moduleRow>;
export type RecordTextRow = z.output<typeof recordTextRow>;
export type SuggestionRow = z.output<typeof suggestionRow>;
export type OrderRow = z.output<typeof orderRow>;
export type InspectionRow = z.output<typeof inspectionRow>;
