import { shownValue, shapeOf, fieldFacts } from '#kernel/contract/field.ts';
import { sentenceOfGroup } from '#kernel/contract/rules/typed.ts';
import type { ConditionGroup } from '#kernel/contract/rules/groups.ts';
import { claimTypes, materialTypes } from '../businessLines.ts';
import { ruleOutcomes, type RuleOutcome } from '../claimRules/dictionaries.ts';
import { ruleVariable } from '../rules/variables.ts';
import { hospitalScopes, occurrenceKeys, rateGenders, rightKinds, socialStatuses } from './dictionaries.ts';
import type { VersionDocument } from './document.ts';
import { enrolConfig } from './enrolConfig.ts';
import { noNames, type Names } from './names.ts';
import type { VersionSection } from './sections.ts';
import { benefitClauses, capWords, groupWords, money, percent, tierWords } from './words.ts';

/** One thing that a version says. */
export interface Statement {
  section: VersionSection;
  /** The same thing in another version. */
  key: string;
  label: string;
  text: string;
  /** Of a list its members: what comes and goes is compared, not the whole. */
  members?: readonly { id: string; name: string }[];
}

export interface StatedRule {
  ruleCode: string;
  ruleName: string;
  expression: ConditionGroup;
  outcome: RuleOutcome;
  materialTypes: readonly string[];
  reasonCode: string | null;
  enabled: boolean;
}

const count = (n: number, unit: string, none: string) => (n === 0 ? none : `${n}${unit}`);

const nameList = (members: NonNullable<Statement['members']>): string => members.map(({ name }) => name).join('、');

function* basicStatements(doc: VersionDocument, names: Names): Generator<Statement> {
  const statement = (key: string, label: string, text: string): Statement => ({ section: 'BASIC', key, label, text });
  yield statement('effectiveFrom', '生效日', doc.effectiveFrom);
  yield statement('effectiveTo', '失效日', doc.effectiveTo ?? '长期');
  yield statement('filingNo', '备案号', doc.filingNo || '未填写');
  const clauses = doc.clauseFileId === null ? [] : [{ id: doc.clauseFileId, name: names.file(doc.clauseFileId) }];
  // Clauses that are put in place of others are often called the same.
  yield { ...statement('clauseFileId', '条款文件', nameList(clauses) || '未上传'), members: clauses };
  yield statement('claimWindowDays', '申请时限', `购药后${doc.claimWindowDays}天内`);
  yield statement('hospitalScope', '医疗机构', hospitalScopes.label(doc.hospitalScope));
  if (doc.hospitalScope === 'LIST') {
    const places = (key: string, label: string, ids: readonly string[], nameOf: (id: string) => string): Statement => {
      const members = ids.map((id) => ({ id, name: nameOf(id) }));
      return { ...statement(key, label, members.length === 0 ? '无' : `${members.length}家：${nameList(members)}`), members };
    };
    yield places('hospitalIds', '指定医院', doc.hospitalIds, names.hospital);
    yield places('drugstoreIds', '指定药店', doc.drugstoreIds, names.drugstore);
  }
  yield statement('regionsAllowed', '就医地区', count(doc.regionsAllowed.length, '个地区', '不限'));
  if (doc.gapNote !== '') yield statement('gapNote', '停售说明', doc.gapNote);
}

function* planStatements(doc: VersionDocument): Generator<Statement> {
  const groupName = (code: string) => doc.limitGroups.find(({ groupCode }) => groupCode === code)?.groupName ?? `共享组${code}`;
  const benefitName = (code: string) => doc.benefits.find(({ benefitCode }) => benefitCode === code)?.benefitName ?? `责任${code}`;
  for (const plan of doc.plans) {
    yield {
      section: 'PLAN',
      key: plan.planCode,
      label: `${plan.planName}（${plan.planCode}）`,
      text: `保额${money(plan.sumInsuredFen)}；${plan.ageMin}至${plan.ageMax}岁；医保要求${socialStatuses.label(plan.socialRequired)}`,
    };
    for (const rate of plan.rates)
      yield {
        section: 'PLAN',
        key: `${plan.planCode}.${rate.gender}.${rate.social}.${rate.ageFrom}`,
        label: `${plan.planName}费率`,
        text: `${rate.ageFrom}至${rate.ageTo}岁、性别${rateGenders.label(rate.gender)}、医保${socialStatuses.label(rate.social)}：年保费${money(rate.annualPremiumFen)}`,
      };
    for (const [code, fen] of Object.entries(plan.overrides.groups))
      yield {
        section: 'PLAN',
        key: `${plan.planCode}.group.${code}`,
        label: `${plan.planName}另设`,
        text: `${groupName(code)}金额${money(fen)}`,
      };
    for (const [code, { tiers, ...caps }] of Object.entries(plan.overrides.benefits))
      yield {
        section: 'PLAN',
        key: `${plan.planCode}.benefit.${code}`,
        label: `${plan.planName}另设`,
        text: `${benefitName(code)}：${[...(tiers ?? []).map(tierWords), ...capWords(caps)].join('；')}`,
      };
  }
}

/** Sentences by which something is asked of claims. */
export const ruleSentence = ({
  expression,
  outcome,
  materialTypes: asked,
}: Pick<StatedRule, 'expression' | 'outcome' | 'materialTypes'>): string =>
  `当 ${sentenceOfGroup(expression, ruleVariable)} 时，${
    outcome === 'REQUIRE_MATERIAL' ? `要求补件：${asked.map((code) => materialTypes.label(code)).join('、')}` : ruleOutcomes.label(outcome)
  }`;

/** A list of codes that a field's own declaration put into words. */
const wordsOf = (shown: unknown): string => (typeof shown === 'string' ? shown || '无' : '');

function* enrolStatements(doc: VersionDocument): Generator<Statement> {
  const shape = shapeOf(enrolConfig);
  for (const [key, value] of Object.entries(doc.enrolConfig)) {
    const facts = shape[key] && fieldFacts(shape[key]);
    if (!facts || key === 'checklist') continue;
    const shown =
      value === null
        ? '不设'
        : facts.kind === 'money' && typeof value === 'number'
          ? money(value)
          : facts.kind === 'rate' && typeof value === 'number'
            ? percent(value)
            : facts.kind === 'flag'
              ? value === true
                ? '是'
                : '否'
              : typeof value === 'string'
                ? (facts.dictionary?.label(value) ?? value)
                : typeof value === 'number'
                  ? String(value)
                  : wordsOf(shownValue(facts, value));
    yield { section: 'ENROL', key, label: facts.label, text: shown };
  }
  for (const { checkCode, question, hard } of doc.enrolConfig.checklist)
    yield { section: 'ENROL', key: `check.${checkCode}`, label: '审核要点', text: `${question}${hard ? '（硬性）' : ''}` };
}

/** All that a version says, thing by thing, in Chinese: what people compare. */
export function statementsOf(doc: VersionDocument, rules: readonly StatedRule[] = [], names: Names = noNames): Statement[] {
  return [
    ...basicStatements(doc, names),
    ...planStatements(doc),
    ...doc.benefits.map((one): Statement => ({
      section: 'BENEFIT',
      key: one.benefitCode,
      label: `${one.benefitName}（${one.benefitCode}）`,
      text: [`理赔类型${one.claimTypes.map((code) => claimTypes.label(code)).join('、')}`, ...benefitClauses(one, doc, names)].join('；'),
    })),
    ...doc.limitGroups.map((one): Statement => ({
      section: 'GROUP',
      key: one.groupCode,
      label: `${one.groupName}（${one.groupCode}）`,
      text: groupWords(one),
    })),
    ...doc.rights.map((one): Statement => ({
      section: 'RIGHT',
      key: one.rightCode,
      label: `${one.rightName}（${one.rightCode}）`,
      text: [
        rightKinds.label(one.kind),
        `申请频次${occurrenceKeys.label(one.occurrenceKey)}`,
        ...(one.amountFen === null ? [] : [money(one.amountFen)]),
        ...(one.timesPerYear === null ? [] : [`每年${one.timesPerYear}次`]),
        ...(one.requiredMaterials.length > 0 ? [`材料：${one.requiredMaterials.map((code) => materialTypes.label(code)).join('、')}`] : []),
        ...(one.drugIds.length > 0 ? [`${one.drugIds.length}种药品`] : []),
      ].join('；'),
    })),
    ...doc.claimTypes.map((one): Statement => ({
      section: 'CLAIM_TYPE',
      key: one.claimType,
      label: claimTypes.label(one.claimType),
      text: [
        `对客名称“${one.label}”`,
        `时效${one.slaWorkdays}个工作日`,
        one.materials.length > 0 ? `材料：${one.materials.map((code) => materialTypes.label(code)).join('、')}` : '无必备材料',
      ].join('；'),
    })),
    ...enrolStatements(doc),
    ...rules.map((one): Statement => ({
      section: 'RULE',
      key: one.ruleCode,
      label: `${one.ruleName}（${one.ruleCode}）`,
      text: `${ruleSentence(one)}${one.reasonCode ? `（原因${one.reasonCode}）` : ''}${one.enabled ? '' : '（未启用）'}`,
    })),
  ];
}

export interface StatementDifference {
  section: VersionSection;
  label: string;
  before: string | null;
  after: string | null;
}

/** Of a list what is no longer in it, and what is new. */
function comingAndGoing(
  { section, label }: Statement,
  before: NonNullable<Statement['members']>,
  after: NonNullable<Statement['members']>,
): StatementDifference[] {
  const without = (some: NonNullable<Statement['members']>, others: NonNullable<Statement['members']>) => {
    const ids = new Set(others.map(({ id }) => id));
    const left = some.filter(({ id }) => !ids.has(id));
    return left.length === 0 ? null : nameList(left);
  };
  const [gone, come] = [without(before, after), without(after, before)];
  return gone === null && come === null ? [] : [{ section, label, before: gone, after: come }];
}

/** What two versions say otherwise, in the order in which the later one says it; what it no longer says comes last. */
export function statementDifferences(before: readonly Statement[], after: readonly Statement[]): StatementDifference[] {
  const idOf = ({ section, key }: Statement) => `${section}:${key}`;
  const old = new Map(before.map((one) => [idOf(one), one]));
  const now = new Set(after.map(idOf));
  return [
    ...after.flatMap((one): StatementDifference[] => {
      const was = old.get(idOf(one));
      if (was?.members && one.members) return comingAndGoing(one, was.members, one.members);
      if (was?.text === one.text) return [];
      return [{ section: one.section, label: one.label, before: was?.text ?? null, after: one.text }];
    }),
    ...before
      .filter((one) => !now.has(idOf(one)))
      .map(({ section, label, text }): StatementDifference => ({ section, label, before: text, after: null })),
  ];
}
