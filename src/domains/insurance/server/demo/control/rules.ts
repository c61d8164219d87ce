import { plusDays, startOfDay, type Day } from '#kernel/contract/time.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { bulk, reserve } from '#kernel/server/demo/bulk.ts';
import { controlHashOf, expressionHashOf } from '../../controls/content.ts';
import type { Stage } from '../stage.ts';
import { demoControlRules, demoModules, type DemoControlRule, type DemoRuleVersion } from './ruleBook.ts';

export interface WrittenVersion {
  id: string;
  ruleId: string;
  rule: DemoControlRule;
  version: DemoRuleVersion;
  from: Day;
}

/** First and last day of a version, from today. */
function datesOf({ fate }: DemoRuleVersion, last: boolean, today: Day): { from: Day; to: Day | null; paused: Day | null } {
  switch (fate) {
    case 'EXPIRED':
      return { from: plusDays(today, last ? -180 : -60), to: plusDays(today, last ? -40 : -21), paused: null };
    case 'PAUSED':
      return { from: plusDays(today, -20), to: null, paused: plusDays(today, -3) };
    case 'IN_FORCE':
    case 'WITHDRAWN':
      return { from: plusDays(today, -90), to: null, paused: null };
    case 'WAITING':
      return { from: plusDays(today, 10), to: null, paused: null };
    default:
      return { from: plusDays(today, 5), to: null, paused: null };
  }
}

export async function writeModules({ tx, now, maker }: Stage): Promise<Map<string, string>> {
  const ids = await reserve(tx, 'insurance_control_module', demoModules.length);
  await bulk(
    tx,
    'insurance_control_module',
    demoModules.map(({ code, name, stage, observeOnly = false, lines = [], remark }, at) => ({
      id: ids[at]!,
      moduleCode: code,
      moduleName: name,
      stage,
      insurerIds: [],
      productLines: lines,
      productIds: [],
      observeOnly,
      ownerUserId: maker.id,
      sort: at + 1,
      enabled: true,
      remark,
      version: 1,
      ...createdColumns({ now, userId: maker.id }),
    })),
  );
  return new Map(demoModules.map(({ code }, at) => [code, ids[at]!]));
}

export async function writeRules(
  { tx, now, today, maker, checker }: Stage,
  modules: ReadonlyMap<string, string>,
): Promise<WrittenVersion[]> {
  const ruleIds = await reserve(tx, 'insurance_control_rule', demoControlRules.length);
  await bulk(
    tx,
    'insurance_control_rule',
    demoControlRules.map(({ code, module }, at) => ({
      id: ruleIds[at]!,
      ruleCode: code,
      moduleId: modules.get(module)!,
      createdAt: now,
      createdBy: maker.id,
    })),
  );
  const all = demoControlRules.flatMap((rule, at) =>
    rule.versions.map((version, index) => ({
      rule,
      version,
      no: index + 1,
      ruleId: ruleIds[at]!,
      ...datesOf(version, index === rule.versions.length - 1, today),
    })),
  );
  const ids = await reserve(tx, 'insurance_control_rule_version', all.length);
  await bulk(
    tx,
    'insurance_control_rule_version',
    all.map(({ rule, version, no, ruleId, from, to, paused }, at) => {
      const { fate, mode } = version;
      const state = fate === 'IN_FORCE' || fate === 'WAITING' || fate === 'EXPIRED' ? 'PUBLISHED' : fate;
      const handed = fate !== 'DRAFT';
      const looked = handed && fate !== 'PENDING_AUDIT';
      const passed = looked && fate !== 'REJECTED';
      const words = {
        ruleName: rule.name,
        mode,
        expression: rule.expression,
        cap: version.cap ?? null,
        reasonCode: mode === 'REJECT' ? 'L20' : mode === 'CAP' ? 'L21' : null,
        applicantText: rule.applicantText,
        internalNote: '',
      };
      const day = startOfDay(passed && from <= today ? plusDays(from, -2) : plusDays(today, -2), '10:00');
      return {
        id: ids[at]!,
        controlRuleId: ruleId,
        versionNo: no,
        ...words,
        expressionHash: expressionHashOf(rule.expression),
        effectiveFrom: from,
        effectiveTo: to,
        gapNote: '',
        changeNote: handed ? (no === 1 ? '首次上线' : '监控7天后改为挂起') : '',
        state,
        runningSince: from,
        pausedFrom: paused,
        makerId: handed ? maker.id : null,
        checkerId: looked ? checker.id : null,
        submittedAt: handed ? day : null,
        publishedAt: passed ? day : null,
        contentHash: handed ? controlHashOf({ ...words, effectiveFrom: from, effectiveTo: to, gapNote: '' }) : null,
        version: handed ? 3 : 1,
        ...createdColumns({ now: day, userId: maker.id }),
        ...updatedColumns({ now: day, userId: passed ? checker.id : maker.id }),
      };
    }),
  );
  return all.map(({ rule, version, ruleId, from }, at) => ({ id: ids[at]!, ruleId, rule, version, from }));
}

/** Hits of the last 30 days on claims of these days. */
export async function writeHits(
  { tx, today, random, now }: Stage,
  versions: readonly WrittenVersion[],
  claims: readonly { claimId: string; at: string; claimedFen: number }[],
): Promise<void> {
  const recent = claims.filter(({ at }) => at >= startOfDay(plusDays(today, -29)) && at < now);
  if (recent.length === 0) return;
  const acting = versions.filter(({ rule, version }) => rule.hits !== undefined && version === rule.versions.at(-1));
  await bulk(
    tx,
    'insurance_control_hit',
    acting.flatMap(({ id, ruleId, rule, version, from }) => {
      const [count, overturned] = rule.hits!;
      const stage = demoModules.find(({ code }) => code === rule.module)!.stage;
      const observed = demoModules.find(({ code }) => code === rule.module)!.observeOnly === true;
      const after = recent.filter(({ at }) => at >= startOfDay(from));
      return Array.from({ length: after.length === 0 ? 0 : count }, (_, n) => {
        const { claimId, at, claimedFen } = random.pick(after);
        // So many of a hundred, spread evenly over the hits.
        const over = Math.floor(((n + 1) * overturned) / 100) > Math.floor((n * overturned) / 100);
        const mode = observed ? 'MONITOR' : version.mode;
        const saves = (mode === 'CAP' || mode === 'REJECT') && !over;
        return {
          evaluationId: `HIS-${rule.code}-${n + 1}`,
          ruleVersionId: id,
          controlRuleId: ruleId,
          lineNo: 1,
          claimId,
          stage,
          mode,
          trace: { text: `命中规则“${rule.name}”`, missing: [] },
          savedFen: saves ? Math.round(claimedFen * (mode === 'REJECT' ? 0.6 : 0.15)) : 0,
          at,
          overturned: over,
          overturnedAt: over ? at : null,
        };
      });
    }),
  );
}
