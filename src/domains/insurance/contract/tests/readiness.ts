/** What a run of a test case leaves behind, as far as a submission asks for it. */
interface RunTrace {
  /** Benefits that paid something. */
  paidBenefits: readonly string[];
  /** Claim rules that held. */
  heldRules: readonly string[];
}

export interface TriedCase extends RunTrace {
  active: boolean;
  lastResult: 'PASS' | 'FAIL' | 'NEVER';
  lastContentHash: string | null;
}

const LEAST_CASES = 3;

/** Why the test cases of a version do not suffice for its content as it stands; null: they do. */
export function readinessFault(
  cases: readonly TriedCase[],
  { benefits, rules, contentHash }: { benefits: readonly string[]; rules: readonly string[]; contentHash: string },
): string | null {
  const active = cases.filter((one) => one.active);
  const faults: string[] = [];
  if (active.length < LEAST_CASES) faults.push(`至少需要${LEAST_CASES}个启用的测试用例，当前${active.length}个`);
  const stale = active.filter((one) => one.lastResult === 'NEVER' || one.lastContentHash !== contentHash).length;
  if (stale > 0) faults.push(`${stale}个用例未在当前内容上运行`);
  const failed = active.filter((one) => one.lastResult === 'FAIL' && one.lastContentHash === contentHash).length;
  if (failed > 0) faults.push(`${failed}个用例不通过`);
  const passed = active.filter((one) => one.lastResult === 'PASS' && one.lastContentHash === contentHash);
  const untried = benefits.filter((code) => !passed.some((one) => one.paidBenefits.includes(code)));
  if (untried.length > 0) faults.push(`责任${untried.join('、')}没有赔付的用例`);
  const unheld = rules.filter((code) => !passed.some((one) => one.heldRules.includes(code)));
  if (unheld.length > 0) faults.push(`规则${unheld.join('、')}没有命中的用例`);
  return faults.length === 0 ? null : faults.join('；');
}
