import { checkInput } from '#kernel/server/http/validate.ts';
import { completeGroup, explainGroup, isGroup, operatorsOfKind, type ConditionGroup } from '#kernel/contract/rules/groups.ts';
import { sentenceOfGroup, typedValueLabel } from '#kernel/contract/rules/typed.ts';
import { refuse } from '#kernel/contract/errors.ts';
import { query } from '#kernel/server/handler.ts';
import { judgeControl } from '../../contract/adjudication/controls.ts';
import { capFault, capText } from '../../contract/controls/content.ts';
import { controlModeWords } from '../../contract/controls/dictionaries.ts';
import { queryControlVariableList, trialControlRule } from '../../contract/controls/trial.ts';
import { insuranceErrors } from '../../contract/errors.ts';
import { ruleVariable, ruleVariables } from '../../contract/rules/variables.ts';
import { requireExpression } from '../claimRules/rules.ts';
import { moduleRecords } from './records.ts';

const variables = query(queryControlVariableList, async ({ stage }) =>
  ruleVariables
    .filter(({ stages }) => stages.includes(stage))
    .map(({ code, name, kind, unit, options }) => ({
      code,
      name,
      kind,
      unit,
      operators: [...operatorsOfKind[kind]],
      options: options.map(({ value, label }) => ({ value, label })),
    })),
);

/** The condition that a path of `explainGroup` leads to, as a sentence. */
function textAt(group: ConditionGroup, path: string): string {
  const [index = '0', ...rest] = path.split('.');
  const item = group.items[Number(index)];
  if (!item) return '';
  return isGroup(item) ? textAt(item, rest.join('.')) : sentenceOfGroup({ op: 'AND', items: [item] }, ruleVariable);
}

function seenText(variable: string, seen: string | readonly string[] | null): string | null {
  if (seen === null || seen === '') return null;
  const known = ruleVariable(variable);
  const one = (value: string) => (known ? typedValueLabel(known, value) : value);
  return typeof seen === 'string' ? one(seen) : seen.map(one).join('、');
}

const trial = query(trialControlRule, async ({ moduleId, mode, expression: draft, cap, facts }, ctx) => {
  const { stage, moduleCode } = await moduleRecords.get(ctx.db, ctx.staff, moduleId);
  const expression = checkInput(completeGroup, requireExpression(draft, stage));
  if (capFault(mode, cap, stage) === 'MISSING') throw refuse(insuranceErrors.CAP_MISSING);
  const { truth, conditions, missing } = explainGroup(expression, facts);
  const judged = judgeControl(
    {
      moduleCode,
      observeOnly: false,
      ruleCode: 'TRIAL',
      ruleName: '',
      ruleVersionId: '0',
      mode,
      expression,
      cap: mode === 'CAP' ? cap : null,
      reasonCode: null,
      applicantText: '',
    },
    facts,
  );
  const names = missing.map((code) => ruleVariable(code)?.name ?? code);
  const outcome = judged ? controlModeWords.label(judged.mode) : '不命中';
  return {
    truth,
    conditions: conditions.map(({ path, variable, seen, truth: held }) => ({
      path,
      text: textAt(expression, path),
      seen: seenText(variable, seen),
      truth: held,
    })),
    missing: names,
    mode: judged?.mode ?? null,
    intendedMode: mode,
    capText: judged?.cap ? capText({ target: judged.cap.target, value: judged.cap.value, variable: null, factorBp: null }) : '',
    text: truth === 'UNKNOWN' ? `缺少变量：${names.join('、')}，${outcome}` : outcome,
  };
});

export const trialHandlers = [variables, trial];
