import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { textOrNull } from '#kernel/contract/fields.ts';

/** Two rights about one document in one hand (`kernel/contract/duties.ts`), and by which of his roles somebody has them. */
export const dutyConflict = z.strictObject({
  document: z.string(),
  /** Refused where it would arise; otherwise a warning. */
  money: z.boolean(),
  makes: z.string(),
  makesLabel: z.string(),
  makesRole: textOrNull,
  decides: z.string(),
  decidesLabel: z.string(),
  decidesRole: textOrNull,
});
export type DutyConflict = z.output<typeof dutyConflict>;

const named = (label: string, role: string | null) => (role === null ? `“${label}”` : `“${label}”（${role}）`);

/** 发放单：“制作发放单”（卡运营）与“批准、撤回发放”（卡审核） */
export const dutySentence = ({
  document,
  makesLabel,
  makesRole,
  decidesLabel,
  decidesRole,
}: Pick<DutyConflict, 'document' | 'makesLabel' | 'makesRole' | 'decidesLabel' | 'decidesRole'>): string =>
  `${document}：${named(makesLabel, makesRole)}与${named(decidesLabel, decidesRole)}`;

const MOST = 3;

/** The first few of them, and how many there are. */
export const dutySentences = (conflicts: readonly DutyConflict[]): string =>
  conflicts.slice(0, MOST).map(dutySentence).join('；') + (conflicts.length > MOST ? `；等${conflicts.length}组` : '');

export const dutyConflicts = field('职责冲突', z.array(dutyConflict), {
  width: 320,
  text: (conflicts) => conflicts.map(dutySentence).join('；'),
});

/** What somebody is told of pairs that are not refused. */
export const dutyWarnings = field('职责提醒', z.array(z.string()));
