import type { InputOf } from '#kernel/contract/call.ts';
import { plusDays } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { addControlModule } from '../../contract/controls/modules.ts';
import { addControlRule, auditControlRule } from '../../contract/controls/rules.ts';
import { controlPermissions, replayPermissions } from '../../contract/permissions.ts';

let counter = 0;
const serial = () => (counter += 1);

/** Somebody who may do all that there is of cost control and replays. */
export const controller = (app: TestApp, without: readonly string[] = []): Promise<TestStaff> =>
  app.staff({
    permissions: [controlPermissions, replayPermissions]
      .flatMap((all) => Object.values(all))
      .map(({ code }) => code)
      .filter((code) => !without.includes(code)),
  });

export async function makeModule(
  app: TestApp,
  as: TestStaff,
  other: Partial<InputOf<typeof addControlModule>> = {},
): Promise<{ moduleId: string; version: number }> {
  const { id, version } = await app.ok(
    addControlModule,
    {
      moduleCode: `KF${serial()}`,
      moduleName: '用量控制',
      stage: 'CLAIM',
      insurerIds: [],
      productLines: [],
      productIds: [],
      observeOnly: false,
      ownerUserId: null,
      ...other,
    },
    { as },
  );
  return { moduleId: id, version };
}

export type RuleWish = Partial<InputOf<typeof addControlRule>>;

/** A rule about the quantity of a line, watched only. */
export const ruleInput = (app: TestApp, moduleId: string, other: RuleWish = {}): InputOf<typeof addControlRule> => ({
  moduleId,
  ruleCode: `R${serial()}`,
  ruleName: '单次数量过多',
  mode: 'MONITOR',
  expression: { op: 'AND', items: [{ variable: 'line.qty', operator: '>', value: '2' }] },
  cap: null,
  reasonCode: null,
  applicantText: '每次购药数量超出限制',
  effectiveFrom: app.clock.today(),
  effectiveTo: null,
  ...other,
});

export const makeRule = (app: TestApp, as: TestStaff, moduleId: string, other: RuleWish = {}) =>
  app.ok(addControlRule, ruleInput(app, moduleId, other), { as });

/** Hands a draft in and has another person pass it. */
export async function publishRule(
  app: TestApp,
  maker: TestStaff,
  checker: TestStaff,
  { versionId, version }: { versionId: string; version: number },
) {
  const submitted = await app.ok(auditControlRule, { id: versionId, version, action: 'submit', opinion: '上线' }, { as: maker });
  return app.ok(auditControlRule, { id: versionId, version: submitted.version, action: 'approve', opinion: '同意' }, { as: checker });
}

export const tomorrow = (app: TestApp) => plusDays(app.clock.today(), 1);
