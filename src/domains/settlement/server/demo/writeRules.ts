import { dayOf, days, hours, plusDays, plusMs } from '#kernel/contract/time.ts';
import { mask } from '#kernel/contract/masking.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { EarnedType } from '../../contract/dictionaries.ts';
import { shareOf } from '../../contract/rules/share.ts';
import { ruleVersionMachine } from '../../contract/states.ts';
import { ruleRecords } from '../access.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { json, own } from '../database.ts';
import { scopeText } from '../rules/scope.ts';
import { daysAgo, type Stage, type Step } from './stage.ts';

type Status = keyof typeof ruleVersionMachine.states;
interface Wish {
  name: string;
  incomeType?: EarnedType;
  ratioBp?: number;
  fixedFen?: number;
  capFen?: number;
  cycle?: { freezeDays: number; payerId: string };
  scope?: { doctorTitle?: 'CHIEF'; hospitalLevel?: 'L3A'; serviceType?: 'VIDEO'; doctorId?: string };
  /** Days before today; negative: after it. */
  from: number;
  to?: number;
  status: Status;
}

async function addPayer(
  stage: Stage,
  wish: { code: string; name: string; taxNo: string; bank: string; account: string; isPlatform: boolean },
) {
  const at = daysAgo(stage, 160);
  const row = await own(stage.tx)
    .insertInto('settlementPayer')
    .values({
      entityCode: wish.code,
      entityName: wish.name,
      taxNo: wish.taxNo,
      bankName: wish.bank,
      bankAccountCipher: stage.kernel.secrets.encrypt(wish.account),
      bankAccountMasked: mask('bankCard', wish.account),
      isPlatform: wish.isPlatform,
      createdAt: at,
      createdBy: stage.staff.fin_s.id,
      ...updatedColumns({ now: at, userId: stage.staff.fin_s.id }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

type Steps = readonly Step<keyof typeof ruleVersionMachine.transitions>[];
/** What had to happen to a version that stands there. */
function stepsTo(status: Status, at: string): Steps {
  const submit = { action: 'submit' as const, at, by: 'fin_a' as const };
  const passed = { action: 'approve' as const, at: plusMs(at, hours(5)), by: 'fin_r' as const, opinion: '与合作协议约定一致' };
  switch (status) {
    case 'DRAFT':
      return [];
    case 'PENDING_AUDIT':
      return [submit];
    case 'REJECTED':
      return [submit, { action: 'reject', at: plusMs(at, hours(5)), by: 'fin_r', opinion: '封顶金额与协议不符，请核对' }];
    case 'PUBLISHED':
      return [submit, passed];
    case 'RETIRED':
      return [submit, passed, { action: 'retire', at: plusMs(at, days(40)), by: 'fin_r', opinion: '合作到期，停用' }];
  }
}

async function addVersion(stage: Stage, wish: Wish, rule: { id: string; code: string }, versionNo: number): Promise<void> {
  const { tx, today } = stage;
  const at = plusMs(daysAgo(stage, wish.from), -days(3));
  const madeAt = at < stage.now ? at : daysAgo(stage, 1);
  const none = { doctorId: null, channelId: null, serviceItemId: null, serviceType: null, doctorTitle: null, hospitalLevel: null };
  const scope = { ...none, ...wish.scope };
  const terms = {
    ratioBp: wish.ratioBp ?? 0,
    fixedFen: BigInt(wish.fixedFen ?? 0),
    capFen: wish.capFen === undefined ? null : BigInt(wish.capFen),
  };
  const testCases = [9_900, 19_900].map((paidFen) => ({ paidFen, listFen: paidFen, expectFen: Number(shareOf(terms, BigInt(paidFen))) }));
  const steps = stepsTo(wish.status, madeAt);
  const isDone = wish.status === 'PUBLISHED' || wish.status === 'RETIRED';
  const row = await own(tx)
    .insertInto('settlementRuleVersion')
    .values({
      ruleId: rule.id,
      ruleType: wish.cycle ? 'CYCLE' : 'SHARE',
      versionNo,
      status: wish.status,
      effectiveFrom: plusDays(today, -wish.from),
      effectiveTo: wish.to === undefined ? null : plusDays(today, -wish.to),
      ...scope,
      scopeText: await scopeText(tx, scope),
      incomeType: wish.cycle ? null : (wish.incomeType ?? 'CONSULT'),
      baseType: wish.cycle ? null : 'PAID',
      ratioBp: wish.cycle ? null : terms.ratioBp,
      fixedFen: wish.cycle ? null : String(terms.fixedFen),
      capFen: wish.cycle ? null : (terms.capFen?.toString() ?? null),
      freezeDays: wish.cycle?.freezeDays ?? null,
      cycleDay: wish.cycle ? 5 : null,
      minPayoutFen: wish.cycle ? '10000' : null,
      payerEntityId: wish.cycle?.payerId ?? null,
      testCases: json(wish.cycle ? [] : testCases),
      opinion: steps.at(-1)?.opinion ?? null,
      publishedAt: isDone ? plusMs(madeAt, hours(5)) : null,
      version: steps.length + 1,
      makerName: stage.staff.fin_a.name,
      createdAt: madeAt,
      createdBy: stage.staff.fin_a.id,
      ...updatedColumns({ now: steps.at(-1)?.at ?? madeAt, userId: stage.staff.fin_a.id }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  stage.trail(ruleVersionMachine, { type: ruleRecords.type, id: row.id }, steps);
}

async function addRule(stage: Stage, versions: readonly Wish[]): Promise<void> {
  const [first] = versions;
  if (!first) return;
  const at = daysAgo(stage, Math.max(...versions.map(({ from }) => from)) + 3);
  const madeAt = at < stage.now ? at : daysAgo(stage, 1);
  const rule = await own(stage.tx)
    .insertInto('settlementRule')
    .values({
      ruleCode: await nextNumber(stage.tx, 'SR', dayOf(madeAt)),
      ruleName: first.name,
      ruleType: first.cycle ? 'CYCLE' : 'SHARE',
      createdAt: madeAt,
      createdBy: stage.staff.fin_a.id,
    })
    .returning(['id', 'ruleCode'])
    .executeTakeFirstOrThrow();
  for (const [at, wish] of versions.entries()) await addVersion(stage, wish, { id: rule.id, code: rule.ruleCode }, at + 1);
}

/** Two legal companies; rules with versions in each of their states. */
export async function writeRules(stage: Stage, doctorId: string): Promise<void> {
  const platform = await addPayer(stage, {
    code: 'KQ_HEALTH',
    name: '上海康桥健康科技有限公司',
    taxNo: '91310115MA1K4A7X3P',
    bank: '招商银行上海张江支行',
    account: '121909876510801',
    isPlatform: true,
  });
  const pharma = await addPayer(stage, {
    code: 'KQ_PHARMA',
    name: '上海康桥医药服务有限公司',
    taxNo: '91310115MA1K4B8Y2Q',
    bank: '中国工商银行上海浦东分行',
    account: '1001234509300218765',
    isPlatform: false,
  });
  const long = 150;
  await addRule(stage, [
    { name: '咨询默认分成', ratioBp: 6_500, from: long, to: 45, status: 'PUBLISHED' },
    { name: '咨询默认分成', ratioBp: 7_000, from: 45, status: 'PUBLISHED' },
    { name: '咨询默认分成', ratioBp: 7_200, from: -20, status: 'PENDING_AUDIT' },
  ]);
  await addRule(stage, [{ name: '随访默认分成', incomeType: 'FOLLOW_UP', ratioBp: 7_500, from: long, status: 'PUBLISHED' }]);
  await addRule(stage, [{ name: '主任医师分成', ratioBp: 8_000, scope: { doctorTitle: 'CHIEF' }, from: long, status: 'PUBLISHED' }]);
  await addRule(stage, [
    { name: '视频咨询分成', ratioBp: 7_500, fixedFen: 500, scope: { serviceType: 'VIDEO' }, from: long, status: 'PUBLISHED' },
  ]);
  await addRule(stage, [
    { name: '三甲医院推广期分成', ratioBp: 8_500, capFen: 30_000, scope: { hospitalLevel: 'L3A' }, from: 120, to: 60, status: 'RETIRED' },
    { name: '三甲医院推广期分成', ratioBp: 8_200, capFen: 30_000, scope: { hospitalLevel: 'L3A' }, from: -10, status: 'REJECTED' },
  ]);
  await addRule(stage, [{ name: '特约专家分成', ratioBp: 9_000, scope: { doctorId }, from: -7, status: 'DRAFT' }]);
  await addRule(stage, [{ name: '平台默认周期', cycle: { freezeDays: 3, payerId: platform }, from: long, status: 'PUBLISHED' }]);
  await addRule(stage, [
    {
      name: '主任医师周期',
      cycle: { freezeDays: 1, payerId: pharma },
      scope: { doctorTitle: 'CHIEF', hospitalLevel: 'L3A' },
      from: long,
      status: 'PUBLISHED',
    },
  ]);
}
