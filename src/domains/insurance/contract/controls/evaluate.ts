import type { TypedFacts } from '#kernel/contract/rules/groups.ts';
import { hitOf, judgeControls, lowestCap, strongest } from '../adjudication/controls.ts';
import type { Hit } from '../adjudication/result.ts';
import { capTargets, type CapTarget, type ControlMode, type ControlSpec } from '../adjudication/spec.ts';

export interface ControlVerdict {
  /** The strongest of all that held; null: no rule did. */
  mode: ControlMode | null;
  hits: Hit[];
  /** The lowest cap of each target, with the rule that sets it. */
  caps: { target: CapTarget; value: number; ruleCode: string; ruleVersionId: string }[];
  /** What the applicant is told: the texts of what holds up, cuts or rejects. */
  applicantTexts: string[];
}

/** What rules say to the facts of one subject (a person at enrolment, a payment): a pure function. */
export function evaluateControls(controls: readonly ControlSpec[], facts: TypedFacts): ControlVerdict {
  const judged = judgeControls(controls, facts);
  return {
    mode: strongest(judged),
    hits: judged.map((one) => hitOf(one, null, 0)),
    caps: capTargets.flatMap((target) => {
      const lowest = lowestCap(judged, target);
      const { ruleCode, ruleVersionId } = lowest?.by.control ?? {};
      return lowest && ruleCode && ruleVersionId ? { target, value: lowest.value, ruleCode, ruleVersionId } : [];
    }),
    applicantTexts: [
      ...new Set(
        judged
          .filter(({ mode, control }) => (mode === 'CAP' || mode === 'HOLD' || mode === 'REJECT') && control.applicantText !== '')
          .map(({ control }) => control.applicantText),
      ),
    ],
  };
}
