import { conditionsIn, explainGroup, type TypedFacts } from '#kernel/contract/rules/groups.ts';
import { daysBetween } from '#kernel/contract/time.ts';
import { adjudicationReasons, type AdjudicationReason } from '../reasons/codes.ts';
import { SINCE_LAST } from '../rules/variables.ts';
import type { Accumulators, LineLimits } from './accumulators.ts';
import { numberOf } from './facts.ts';
import type { AdjudicationInput, LineInput } from './input.ts';
import type { Matched } from './matching.ts';
import type { ClaimRuleSpec, VersionSpec } from './spec.ts';

/** Why a line pays nothing, or less; `ref` is what decided. */
export interface Why {
  code: string;
  wording: string;
  ref: string;
}

export const why = (code: AdjudicationReason, ref: string, detail = ''): Why => ({
  code,
  wording: detail === '' ? adjudicationReasons[code] : `${adjudicationReasons[code]}：${detail}`,
  ref,
});

/** A claim rule that holds for a line, or one that cannot be judged. */
export interface JudgedRule {
  rule: ClaimRuleSpec;
  missing: string[];
}

/** Rules about a line; those of other benefits and claim types are left out. */
export function judgeRules(spec: VersionSpec, input: AdjudicationInput, benefitCode: string | null, facts: TypedFacts): JudgedRule[] {
  return spec.rules
    .filter(
      ({ benefitCodes, claimTypes }) =>
        (benefitCodes.length === 0 || (benefitCode !== null && benefitCodes.includes(benefitCode))) &&
        (claimTypes.length === 0 || claimTypes.includes(input.claim.claimType)),
    )
    .toSorted((one, other) => one.priority - other.priority || (one.ruleCode < other.ruleCode ? -1 : 1))
    .flatMap((rule) => {
      const { truth, missing } = explainGroup(rule.expression, facts);
      if (truth === 'FALSE') return [];
      if (truth === 'TRUE') return [{ rule, missing: [] }];
      return rule.outcome === 'WARN' ? [] : [{ rule, missing }];
    });
}

export const rejects = ({ rule, missing }: JudgedRule): boolean =>
  missing.length === 0 && (rule.outcome === 'REJECT_LINE' || rule.outcome === 'REJECT_CLAIM');

export const whyOfRule = ({ rule }: JudgedRule): Why => {
  const code = rule.reasonCode ?? 'L22';
  const label = code in adjudicationReasons ? adjudicationReasons[code as AdjudicationReason] : rule.ruleName;
  return { code, wording: rule.applicantText === '' ? label : rule.applicantText, ref: `rule:${rule.ruleCode}` };
};

/** Null: neither the diagnoses nor the day of the first one say it. */
export function preExistingOf({ claim, cover }: AdjudicationInput): boolean | null {
  if (claim.icd10.some((code) => cover.preExistingIcd.some((prefix) => code.startsWith(prefix)))) return true;
  return claim.firstDiagnosedOn === null ? null : claim.firstDiagnosedOn < cover.continuousFrom;
}

/** Gates that a line fails, and what would have had to be known of others. */
export interface Gates {
  failed: Why[];
  missing: string[];
}

function waitingGate({ benefit }: Matched, { claim, cover }: AdjudicationInput, line: LineInput): Gates {
  if (benefit.waitingDays === 0) return { failed: [], missing: [] };
  const ref = `benefit:${benefit.benefitCode}.waitingDays`;
  const basis = benefit.waitingEffect === 'PERIOD' ? line.serviceDate : claim.firstDiagnosedOn;
  if (basis === null) return { failed: [], missing: ['claim.firstDiagnosedOn'] };
  const day = daysBetween(cover.continuousFrom, basis);
  // A disease found before the cover began is a pre-existing one, not one of the waiting period.
  if (day >= benefit.waitingDays || (benefit.waitingEffect === 'DISEASE' && day < 0)) return { failed: [], missing: [] };
  return { failed: [why('L02', ref, `等待期${benefit.waitingDays}天，${basis}为第${day}天`)], missing: [] };
}

/** The last purchase of the medicine: of other claims as the fact says, of this one as its earlier lines say. */
function intervalGate(matched: Matched, facts: TypedFacts, inClaim: number | null): Gates {
  const least = matched.row?.minIntervalDays;
  if (!least) return { failed: [], missing: [] };
  const known = numberOf(facts, SINCE_LAST);
  const since = Math.min(known ?? Number.MAX_SAFE_INTEGER, inClaim ?? Number.MAX_SAFE_INTEGER);
  if (since < least) return { failed: [why('L25', refOfRow(matched), `距上次${since}天，须间隔${least}天`)], missing: [] };
  return { failed: [], missing: known === null ? [SINCE_LAST] : [] };
}

/** Every gate that a line fails, all of them told. What rules and people decide comes besides. */
export function gatesOf(
  spec: VersionSpec,
  input: AdjudicationInput,
  line: LineInput,
  matched: Matched | AdjudicationReason,
  limits: LineLimits | null,
  accumulators: Accumulators,
  facts: TypedFacts,
  sinceLastInClaim: number | null,
): Gates {
  const { claim, cover } = input;
  const failed: Why[] = [];
  if (line.serviceDate < cover.coverageStart || line.serviceDate > cover.coverageEnd)
    failed.push(why('L01', 'input:cover', `${line.serviceDate}不在${cover.coverageStart}至${cover.coverageEnd}内`));
  const delay = daysBetween(line.serviceDate, claim.submittedOn);
  if (delay < 0) failed.push(why('L26', 'input:lines', `${line.serviceDate}购药，${claim.submittedOn}提交`));
  if (delay > spec.claimWindowDays)
    failed.push(why('L18', 'version:claimWindowDays', `购药后${delay}天提交，时限${spec.claimWindowDays}天`));
  if (!claim.hospitalInScope) failed.push(why('L19', 'version:hospitalScope'));
  if (typeof matched === 'string') return { failed: [...failed, why(matched, 'version:benefits')], missing: [] };
  const { benefit, row } = matched;
  const waiting = waitingGate(matched, input, line);
  failed.push(...waiting.failed);
  const excludes = benefit.preExistingMode === 'EXCLUDE';
  const preExisting = preExistingOf(input);
  if (excludes && preExisting === true) failed.push(why('L03', `benefit:${benefit.benefitCode}.preExistingMode`));
  if (benefit.socialMode === 'REQUIRED' && row && row.socialCategory !== 'OUTSIDE' && cover.hasSocial && !line.socialSettled)
    failed.push(why('L17', `benefit:${benefit.benefitCode}.socialMode`));
  if (limits?.times && accumulators.left(limits.times) < 1 && !accumulators.hasDay(limits.times, line.serviceDate))
    failed.push(why('L16', `benefit:${benefit.benefitCode}.timesPerYear`, `每年${limits.times.limit}次`));
  const interval = intervalGate(matched, facts, sinceLastInClaim);
  return {
    failed: [...failed, ...interval.failed],
    missing: [...waiting.missing, ...(excludes && preExisting === null ? ['claim.firstDiagnosedOn'] : []), ...interval.missing],
  };
}

export const refOfRow = ({ list, row }: Matched): string =>
  list && row ? `formulary:${list.formularyVersionId}:${row.medicineId}:${row.indicationCode}` : 'version:benefits';

/** Variables that an expression names. */
export const variablesOf = ({ expression }: ClaimRuleSpec): string[] => [
  ...new Set(conditionsIn(expression).map(({ variable }) => variable)),
];
