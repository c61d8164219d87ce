import { createHash } from 'node:crypto';
import { adjudicateCore } from '#domains/insurance/contract/adjudication/adjudicate.ts';
import type { ClaimRuleSpec, ControlSpec } from '#domains/insurance/contract/adjudication/spec.ts';
import { benefit, boxes, claimOf, control, group, listed, tier, version } from '#domains/insurance/contract/testing/specs.ts';
import { median } from './load.ts';
import type { Row } from './table.ts';

const RULES = 30;
const DRUGS = 400;
const LINES = 5;
const ROUNDS = 9;
const ROUND_MS = 500;
const GOAL = 5_000;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Half of the rules are the contract's, half are cost control; each asks three things, none stops a line. */
const rule = (no: number): ClaimRuleSpec => ({
  ruleCode: `R${no}`,
  ruleName: `规则${no}`,
  benefitCodes: [],
  claimTypes: [],
  expression: {
    op: 'AND',
    items: [
      { variable: 'line.qty', operator: '>=', value: '1' },
      { variable: 'claim.delayDays', operator: 'range', value: `0,${60 + no}` },
      {
        op: 'OR',
        items: [
          { variable: 'claim.materials', operator: 'contains', value: 'PRESCRIPTION' },
          { variable: 'line.unitPrice', operator: '>', value: String(900_000 + no) },
        ],
      },
    ],
  },
  outcome: 'WARN',
  materialTypes: [],
  reasonCode: null,
  applicantText: '',
  priority: no,
});
const watching = (no: number): ControlSpec =>
  control(`C${no}`, {
    expression: {
      op: 'AND',
      items: [
        { variable: 'line.qty', operator: '>', value: String(no % 4) },
        { variable: 'claim.amount', operator: '>=', value: '100' },
      ],
    },
  });

/** Lines of claims that one core works off in a second, with all steps, rules, reasons and moves. */
export function measureInsurance(): Row[] {
  const spec = version({
    rows: Array.from({ length: DRUGS }, (_none, no) => listed(`M${no}`, { maxUnitPriceFen: 500_000 + no, icd10Prefixes: ['C34'] })),
    groups: [group('D1', 1_600_000), group('C1', 90_000_000, { kind: 'CEILING' })],
    benefits: [
      benefit({
        deductibleGroup: 'D1',
        ceilingGroups: ['C1'],
        tiers: [tier(8000, { toFen: 5_000_000 }), tier(9000, { fromFen: 5_000_000 })],
        caps: { perYearFen: 80_000_000 },
      }),
    ],
    rules: Array.from({ length: RULES / 2 }, (_none, no) => rule(no)),
  });
  const controls = Array.from({ length: RULES / 2 }, (_none, no) => watching(no));
  const claims = Array.from({ length: 200 }, (_none, no) =>
    claimOf(
      Array.from({ length: LINES }, (_line, at) =>
        boxes(at + 1, `M${(no * 7 + at) % DRUGS}`, 1 + (at % 3), 480_000 + no * 100, { socialPaidFen: 90_000 }),
      ),
      { claim: { materials: ['PRESCRIPTION'] } },
    ),
  );
  let next = 0;
  const round = (ms: number): number => {
    const began = performance.now();
    // By the processor's own time: what else the machine does at the moment is not measured.
    const used = process.cpuUsage();
    let lines = 0;
    while (performance.now() - began < ms) {
      const result = adjudicateCore(spec, controls, claims[(next += 1) % claims.length]!, sha256);
      if (result.payableFen === 0) throw new Error('A claim of the measurement is not paid');
      lines += LINES;
    }
    const { user, system } = process.cpuUsage(used);
    return (lines * 1_000_000) / (user + system);
  };
  round(ROUND_MS * 2);
  const speed = median(Array.from({ length: ROUNDS }, () => round(ROUND_MS)));
  return [
    {
      what: `claim lines adjudicated per second on one core, ${RULES} rules`,
      measured: Math.round(speed).toLocaleString('en'),
      goal: `>= ${GOAL.toLocaleString('en')}`,
      held: speed >= GOAL,
    },
  ];
}
