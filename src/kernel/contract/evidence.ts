import * as z from 'zod/mini';
import { dictionary, type Dictionary } from './dictionary.ts';
import { field } from './field.ts';
import { dayOut, id, idOut, instantOut, optionalText, text, textOrNull } from './fields.ts';

// Materials that people hand in for a case and reviewers judge: what calls and pages say of them. The server part is `reviewOf`.

export const materialVerdicts = dictionary('kernel.materialVerdict', {
  OK: { label: '合格', tone: 'success' },
  UNCLEAR: { label: '不清晰', tone: 'warning' },
  WRONG: { label: '不符', tone: 'error' },
  FAKE: { label: '疑似造假', tone: 'error' },
});
export type MaterialVerdict = (typeof materialVerdicts.codes)[number];

const duplicateVerdicts = dictionary('kernel.duplicateVerdict', {
  PENDING: { label: '待判定', tone: 'warning' },
  DUP: { label: '确认重复', tone: 'error' },
  NOT_DUP: { label: '非重复' },
});
export type DuplicateVerdict = (typeof duplicateVerdicts.codes)[number];

export const supplementStates = dictionary('kernel.supplement', {
  OPEN: { label: '待补', tone: 'warning' },
  ANSWERED: { label: '已补', tone: 'success' },
  EXPIRED: { label: '超时', tone: 'error' },
  CANCELLED: { label: '已取消' },
});

/** Days that somebody may be given to hand in what is missing. */
export const SUPPLEMENT_DAYS = { min: 1, max: 30 } as const;
const MOST_PER_CALL = 100;

/** What is written on a material, by the names that its domain gives its fields. */
const written = z.record(z.string().check(z.maxLength(40)), z.string().check(z.maxLength(200)));

export const materialOut = <Type extends string>(types: Dictionary<Type>) =>
  z.strictObject({
    id: idOut,
    materialType: field('材料类型', types.schema),
    fileId: idOut,
    supplementId: field('补件要求', textOrNull),
    /** Read by machine, and confirmed or typed over it by the reviewer. */
    read: written,
    confirmed: written,
    issuedOn: field('出具日期', z.nullable(dayOut)),
    issuer: field('出具机构', z.string()),
    verdict: field('审核结论', z.nullable(materialVerdicts.schema)),
    reason: field('说明', z.string()),
  });

const materialIn = <Type extends string>(types: Dictionary<Type>) =>
  z.strictObject({
    materialType: field('材料类型', types.schema),
    fileId: field('文件', id),
    /** An earlier one that this is a better copy of. */
    replacesId: field('被替换的材料', z.optional(id)),
  });
export const materialsIn = <Type extends string>(types: Dictionary<Type>) =>
  field('材料', z.array(materialIn(types)).check(z.maxLength(MOST_PER_CALL, `一次最多${MOST_PER_CALL}份材料`)));

/** What a reviewer has found so far of one material; what is absent stays. */
export const materialWork = z.strictObject({
  id: field('材料', id),
  verdict: field('审核结论', z.optional(z.nullable(materialVerdicts.schema))),
  reason: z.optional(text('说明', 200)),
  /** Null or empty takes a value back. */
  confirmed: field('识别结果', z.optional(z.record(z.string().check(z.maxLength(40)), z.nullable(text('识别结果', 200))))),
  issuedOn: field('出具日期', z.optional(z.nullable(dayOut))),
  issuer: z.optional(text('出具机构', 100)),
});

export const duplicateOut = <Signal extends string>(signals: Dictionary<Signal>) =>
  z.strictObject({
    id: idOut,
    signal: field('重复依据', signals.schema),
    otherType: z.string(),
    otherId: idOut,
    score: field('相似度', z.int()),
    verdict: field('判定', duplicateVerdicts.schema),
    note: field('判定说明', z.string()),
    judgedBy: field('判定人', textOrNull),
  });
export const duplicateWork = z.strictObject({
  id: field('疑似重复', id),
  verdict: field('判定', duplicateVerdicts.schema),
  note: optionalText('判定说明', 200),
});

export const supplementIn = <Type extends string>(types: Dictionary<Type>) =>
  z.strictObject({
    items: field(
      '需补充的材料',
      z
        .array(z.strictObject({ materialType: field('材料类型', types.schema), wording: optionalText('补充说明', 200) }))
        .check(z.maxLength(types.codes.length, '需补充的材料不能重复')),
    ),
    days: field('补件期限（天）', z.int('补件期限须为整数').check(z.gte(0, '补件期限不能小于0天'), z.lte(999, '补件期限最多999天'))),
  });
export const supplementOut = <Type extends string>(types: Dictionary<Type>) =>
  z.strictObject({
    id: idOut,
    items: z.array(z.strictObject({ materialType: types.schema, wording: z.string() })),
    askedAt: field('通知时间', instantOut),
    dueAt: field('补件期限', instantOut),
    state: field('补件状态', supplementStates.schema),
  });
