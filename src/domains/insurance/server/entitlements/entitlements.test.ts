import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputOf } from '#kernel/contract/call.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import {
  addEntitlementDef,
  addEntitlementVersion,
  auditEntitlementDef,
  modifyEntitlementDef,
  queryCouponOptions,
  queryEntitlementDefDetail,
  queryEntitlementDefList,
  removeEntitlementDef,
} from '../../contract/entitlements/calls.ts';
import { couponOff, sampleText } from '../../contract/entitlements/document.ts';
import { entitlementPermissions } from '../../contract/permissions.ts';
import { couponInput } from '../testing/entitlements.ts';
import { pinEntitlement } from '../services.ts';

let app: TestApp;
let maker: TestStaff;
let checker: TestStaff;
const all = Object.values(entitlementPermissions).map(({ code }) => code);
beforeAll(async () => {
  app = await startTestApp();
  maker = await app.staff({ permissions: all });
  checker = await app.staff({ permissions: all });
});
afterAll(() => app.close());

type Input = InputOf<typeof addEntitlementDef>;
const coupon = (code: string, other: Partial<Input> = {}): Input => couponInput(app, code, other);
const facts = ({ entitlementCode: _, ...content }: Input) => content;

async function published(code: string): Promise<{ id: string; version: number }> {
  const { id, version } = await app.ok(addEntitlementDef, coupon(code), { as: maker });
  const handed = await app.ok(auditEntitlementDef, { id, version, action: 'submit', opinion: '上线' }, { as: maker });
  return app.ok(auditEntitlementDef, { id, version: handed.version, action: 'approve', opinion: '同意' }, { as: checker });
}

describe('an entitlement definition', () => {
  it.each<[string, Partial<Input>, object]>([
    [
      'a cut above the threshold (acceptance 25)',
      { couponRule: { mode: 'FULL_CUT', thresholdFen: 30_000, value: 35_000, capFen: null } },
      { code: 'SCM12060', message: '抵扣金额不能大于使用门槛' },
    ],
    ['no rule of its kind', { couponRule: null }, { fields: [{ path: 'couponRule' }] }],
    [
      'a discount of nothing',
      { couponRule: { mode: 'DISCOUNT', thresholdFen: 0, value: 0, capFen: null } },
      { fields: [{ path: 'couponRule.value' }] },
    ],
    ['words of another kind', { stored: { principalFen: 1, bonusFen: 0 } }, { fields: [{ path: 'stored' }] }],
    [
      'no days',
      { validity: { mode: 'AFTER_GRANT', from: null, to: null, days: null, remindDays: null } },
      { fields: [{ path: 'validity.days' }] },
    ],
  ])('is refused with %s', async (_what, wish, refusal) => {
    expect(await app.refused(addEntitlementDef, coupon('REFUSED', wish), { as: maker })).toMatchObject(refusal);
  });

  it('that a batch hangs on stays as it is, and a new version takes its place (acceptance 25)', async () => {
    const viewer = await app.staff({ permissions: ['insurance.entitlement.view'] });
    expect(await app.refused(addEntitlementDef, coupon('C1'), { as: viewer })).toMatchObject({ code: 'SCM90010' });
    const first = await published('C1');
    expect(await app.refused(addEntitlementDef, coupon('C1'), { as: maker })).toMatchObject({ fields: [{ path: 'entitlementCode' }] });
    const change = { id: first.id, version: first.version, ...facts(coupon('C1')) };
    expect(await app.refused(modifyEntitlementDef, change, { as: maker })).toMatchObject({ code: 'SCM90031' });
    await app.kernel.transactions.run('test', ({ tx }) =>
      pinEntitlement(tx, { entitlementDefId: first.id, refType: 'card.batch', refId: '7', now: app.clock.now(), today: app.clock.today() }),
    );
    expect(await app.refused(modifyEntitlementDef, change, { as: maker })).toMatchObject({
      code: 'SCM12061',
      message: '已被发卡批次引用，请新建版本',
    });
    expect(
      await app.refused(auditEntitlementDef, { id: first.id, version: first.version, action: 'withdraw', opinion: '撤' }, { as: checker }),
    ).toMatchObject({ code: 'SCM12008' });
    const next = await app.ok(addEntitlementVersion, { id: first.id }, { as: maker });
    expect(await app.refused(addEntitlementVersion, { id: first.id }, { as: maker })).toMatchObject({ code: 'SCM12010' });
    expect(await app.refused(modifyEntitlementDef, { ...change, id: next.id, version: 9 }, { as: maker })).toMatchObject({
      code: 'SCM90030',
    });
    const { rows } = await app.ok(queryEntitlementDefList, { keyword: 'C1' }, { as: viewer });
    expect(rows).toMatchObject([
      { id: first.id, terms: '满300元减50元', validity: '发放后30天', pins: 1, phase: 'IN_FORCE', openId: next.id },
    ]);
    const seen = await app.ok(queryEntitlementDefDetail, { id: first.id }, { as: viewer });
    expect(seen).toMatchObject({ pins: [{ refType: 'card.batch', refId: '7' }], versions: [{ versionNo: 2 }, { versionNo: 1 }] });
    await app.ok(removeEntitlementDef, { id: next.id, version: 1 }, { as: maker });
    expect(await app.ok(queryCouponOptions, { keyword: '300' }, { as: viewer })).toMatchObject([{ value: first.id }]);
  });
});

describe('a coupon', () => {
  it('takes off what it says, from its threshold on', () => {
    const cut = { mode: 'FULL_CUT' as const, thresholdFen: 30_000, value: 5_000, capFen: null };
    expect(couponOff(cut, 29_999)).toBeNull();
    expect(couponOff(cut, 30_000)).toBe(5_000);
    expect(couponOff({ mode: 'DISCOUNT', thresholdFen: 0, value: 8_500, capFen: 1_000 }, 10_000)).toBe(1_000);
    expect(couponOff({ mode: 'DISCOUNT', thresholdFen: 0, value: 8_500, capFen: null }, 33)).toBe(5);
    expect(couponOff({ mode: 'CASH', thresholdFen: 0, value: 500, capFen: null }, 300)).toBe(300);
    expect(sampleText(cut)).toBe('满300元减50元：订单280元不可用，订单320元抵50元');
  });
});
