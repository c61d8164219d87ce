import * as z from 'zod/mini';
import { basicOperators } from '#kernel/contract/rules/rule.ts';
import { playMode, sendTarget, timeOption, touchKind } from '../dictionaries.ts';
import { policy } from '../scenePackageCalls.ts';
import { createTask } from '../tasks/createTask.ts';

/** A condition with the variable that it is about, as it stood when the version was frozen. */
export const frozenRow = z.strictObject({
  groupNo: z.int(),
  role: z.literal([1, 2, 3]),
  variableId: z.string(),
  variableCode: z.string(),
  variableName: z.string(),
  operatorValue: z.enum(basicOperators),
  conditionValue: z.string(),
  checked: z.literal([0, 1]),
});
export type FrozenRow = z.output<typeof frozenRow>;

const content = {
  sendTime: z.string(),
  target: sendTarget.schema,
  touchKind: touchKind.schema,
  materialIds: z.array(z.string()),
};

export const frozenItem = z.strictObject({
  ...content,
  itemKey: z.string(),
  dayOffset: z.int(),
  itemConditions: z.array(frozenRow),
  /** Absent: no task. */
  createTask: z.optional(createTask),
});
export type FrozenItem = z.output<typeof frozenItem>;

export const frozenCycle = z.strictObject({
  ...content,
  timeOption: timeOption.schema,
  age: z.nullable(z.int()),
  playMode: playMode.schema,
});
export type FrozenCycle = z.output<typeof frozenCycle>;

/** Everything by which a version enters, sends and ends; materials by id. Engine and previews read nothing else of the package. */
export const packageSnapshot = z.strictObject({
  chatFlag: z.literal([0, 1, 2]),
  policy,
  launch: z.array(frozenRow),
  stop: z.array(frozenRow),
  /** Launch rows of the main scene, which must hold too; null for a main scene. */
  mainLaunch: z.nullable(z.array(frozenRow)),
  schedule: z.array(frozenItem),
  cycle: z.nullable(frozenCycle),
});
export type PackageSnapshot = z.output<typeof packageSnapshot>;

/** Materials that the version would send, each once. */
export const materialsOf = ({ schedule, cycle }: Pick<PackageSnapshot, 'schedule' | 'cycle'>): string[] => [
  ...new Set([...schedule.flatMap(({ materialIds }) => materialIds), ...(cycle?.materialIds ?? [])]),
];

/** Codes of the variables by which a patient enters. */
export const launchCodes = ({ launch, mainLaunch }: PackageSnapshot): string[] => [
  ...new Set([...launch, ...(mainLaunch ?? [])].map(({ variableCode }) => variableCode)),
];
