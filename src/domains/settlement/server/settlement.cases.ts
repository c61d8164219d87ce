import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import { uploadPaper } from '#testing/uploads.ts';
import {
  exportDoctorAccountList,
  freezeDoctorSettle,
  modifyDoctorPayAccount,
  queryDoctorAccountDetail,
  queryDoctorAccountList,
  revealDoctorPayAccount,
  unfreezeDoctorSettle,
  verifyDoctorPayAccount,
} from '../contract/calls/accounts.ts';
import {
  addIncomeAdjust,
  auditIncomeAdjust,
  auditIncomeAdjustSecond,
  cancelIncomeAdjust,
  exportIncomeAdjustList,
  queryIncomeAdjustList,
} from '../contract/calls/adjusts.ts';
import {
  exportDoctorIncomeList,
  exportIncomeDetailList,
  holdIncome,
  queryDoctorIncomeList,
  queryIncomeDetail,
  queryIncomeDetailList,
  queryIncomeTotal,
  reverseIncome,
  unholdIncome,
} from '../contract/calls/income.ts';
import {
  addPayerEntity,
  addSettlementRule,
  auditSettlementRule,
  exportPayerEntityList,
  exportSettlementRuleList,
  modifyPayerEntity,
  modifySettlementRule,
  queryPayerEntityList,
  queryPayerOptions,
  querySettlementRuleList,
  querySettlementRuleTrail,
  retireSettlementRule,
  submitSettlementRule,
  testSettlementRule,
} from '../contract/calls/rules.ts';
import { INCOME_ADJUST } from '../contract/purposes.ts';
import type { TestStaff } from '#testing/staff.ts';
import { own } from './database.ts';
import { earner, keeper, key, makeRules, NONE, payeeInput, payerFields, shareFields } from './testing/fixtures.ts';

const opinion = '按协议处理';
const scoped = (app: TestApp) => shareFields(app.clock.today(), { serviceType: 'REPORT', effectiveFrom: '2030-01-01' });
async function draft(app: TestApp) {
  const { id, version } = await app.ok(addSettlementRule, scoped(app), { as: await keeper(app) });
  return { id, version };
}
async function submitted(app: TestApp) {
  const rule = await draft(app);
  const { version } = await app.ok(submitSettlementRule, rule, { as: await keeper(app) });
  return { id: rule.id, version };
}
async function published(app: TestApp) {
  const rule = await submitted(app);
  const { version } = await app.ok(auditSettlementRule, { ...rule, decision: 'approve', opinion }, { as: await keeper(app) });
  return { id: rule.id, version };
}
const free = (app: TestApp) => own(app.db).deleteFrom('settlementRuleVersion').where('serviceType', '=', 'REPORT').execute();
const anIncome = async (app: TestApp) => {
  const { income } = await earner(app);
  return { id: income.id, version: income.version, opinion };
};
const aHeld = async (app: TestApp) => {
  const income = await anIncome(app);
  const { version } = await app.ok(holdIncome, income, { as: await keeper(app) });
  return { ...income, version };
};
const paper = async (app: TestApp, as: TestStaff) => [await uploadPaper(app, as, INCOME_ADJUST)];
async function adjustInput(app: TestApp, as: TestStaff, grossFen = 5_000) {
  const { doctorId, payerId } = await earner(app);
  return { doctorId, payerEntityId: payerId, grossFen, reason: '补发上月漏计的咨询收入', fileIds: await paper(app, as) };
}
async function anAdjust(app: TestApp, grossFen = 5_000, maker?: TestStaff) {
  const as = maker ?? (await keeper(app));
  const { id, version } = await app.ok(addIncomeAdjust, await adjustInput(app, as, grossFen), key(as));
  return { id, version };
}
const anAccount = async (app: TestApp) => {
  const { doctorId } = await earner(app);
  const { id, version } = await own(app.db)
    .selectFrom('settlementAccount')
    .select(['id', 'version'])
    .where('doctorId', '=', doctorId)
    .executeTakeFirstOrThrow();
  return { id, doctorId, version };
};
async function edited(app: TestApp) {
  const { doctorId, version } = await anAccount(app);
  const answer = await app.ok(modifyDoctorPayAccount, { doctorId, version, ...payeeInput() }, { as: await keeper(app) });
  return { doctorId, version: answer.version };
}
const missing = { id: NONE, version: 1 };
const noDoctor = { doctorId: NONE, version: 1 };
const passed = { decision: 'approve' as const, opinion };

export const settlementCases: readonly CallCase[] = [
  callCase(querySettlementRuleList, async (app) => {
    await makeRules(app);
    return {};
  }),
  callCase(exportSettlementRuleList, async (app) => {
    await makeRules(app);
    return {};
  }),
  callCase(querySettlementRuleTrail, async (app) => ({ id: (await submitted(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(addSettlementRule, async (app) => scoped(app), { foreign: async (app) => ({ ...scoped(app), doctorId: NONE }) }),
  callCase(modifySettlementRule, async (app) => ({ ...scoped(app), ...(await draft(app)) }), {
    foreign: async (app) => ({ ...scoped(app), ...missing }),
  }),
  callCase(submitSettlementRule, draft, { foreign: async () => missing }),
  callCase(
    auditSettlementRule,
    async (app) => {
      await free(app);
      return { ...(await submitted(app)), ...passed };
    },
    { foreign: async () => ({ ...missing, ...passed }) },
  ),
  callCase(
    retireSettlementRule,
    async (app) => {
      await free(app);
      return { ...(await published(app)), effectiveTo: '2030-06-01', opinion };
    },
    { foreign: async () => ({ ...missing, effectiveTo: '2030-06-01', opinion }) },
  ),
  callCase(testSettlementRule, async () => ({
    baseType: 'PAID' as const,
    ratioBp: 7_000,
    fixedFen: 0,
    capFen: null,
    testCases: [{ paidFen: 9_900, listFen: 9_900, expectFen: 6_930 }],
  })),
  callCase(queryPayerEntityList, async (app) => {
    await makeRules(app);
    return {};
  }),
  callCase(exportPayerEntityList, async (app) => {
    await makeRules(app);
    return {};
  }),
  callCase(queryPayerOptions, async () => ({})),
  callCase(addPayerEntity, async () => payerFields()),
  callCase(
    modifyPayerEntity,
    async (app) => {
      const { payerId } = await makeRules(app);
      const { entityCode: _code, bankAccountNo: _account, ...fields } = payerFields();
      return { ...fields, id: payerId, version: 1, enabled: true };
    },
    {
      foreign: async () => {
        const { entityCode: _code, bankAccountNo: _account, ...fields } = payerFields();
        return { ...fields, ...missing, enabled: true };
      },
    },
  ),
  callCase(queryIncomeDetailList, async (app) => {
    await earner(app);
    return {};
  }),
  callCase(exportIncomeDetailList, async (app) => {
    await earner(app);
    return {};
  }),
  callCase(queryIncomeTotal, async (app) => {
    await earner(app);
    return {};
  }),
  callCase(queryIncomeDetail, async (app) => ({ id: (await earner(app)).income.id }), { foreign: async () => ({ id: NONE }) }),
  callCase(holdIncome, anIncome, { foreign: async () => ({ ...missing, opinion }) }),
  callCase(unholdIncome, aHeld, { foreign: async () => ({ ...missing, opinion }) }),
  callCase(reverseIncome, anIncome, { foreign: async () => ({ ...missing, opinion }) }),
  callCase(queryDoctorIncomeList, async (app) => {
    await earner(app);
    return { monthFrom: '2026-11', monthTo: '2026-12' };
  }),
  callCase(exportDoctorIncomeList, async (app) => {
    await earner(app);
    return { monthFrom: '2026-11', monthTo: '2026-12' };
  }),
  callCase(queryIncomeAdjustList, async (app) => {
    await anAdjust(app);
    return {};
  }),
  callCase(exportIncomeAdjustList, async (app) => {
    await anAdjust(app);
    return {};
  }),
  callCase(addIncomeAdjust, (app, as) => adjustInput(app, as!), {
    foreign: async (app, as) => ({ ...(await adjustInput(app, as!)), doctorId: NONE }),
  }),
  callCase(auditIncomeAdjust, async (app) => ({ ...(await anAdjust(app)), ...passed }), {
    foreign: async () => ({ ...missing, ...passed }),
  }),
  callCase(
    auditIncomeAdjustSecond,
    async (app) => {
      const { id, version } = await anAdjust(app, 1_200_000);
      const checker = await keeper(app);
      const first = await app.ok(auditIncomeAdjust, { id, version, ...passed }, key(checker));
      return { id, version: first.version, ...passed };
    },
    { foreign: async () => ({ ...missing, ...passed }) },
  ),
  callCase(
    cancelIncomeAdjust,
    async (app, as) => {
      const { id, version } = await anAdjust(app);
      await own(app.db).updateTable('settlementAdjust').set({ makerId: as!.userId }).where('id', '=', id).execute();
      return { id, version };
    },
    { foreign: async () => missing },
  ),
  callCase(queryDoctorAccountList, async (app) => {
    await earner(app);
    return {};
  }),
  callCase(exportDoctorAccountList, async (app) => {
    await earner(app);
    return {};
  }),
  callCase(queryDoctorAccountDetail, async (app) => ({ doctorId: (await earner(app)).doctorId }), {
    foreign: async () => ({ doctorId: NONE }),
  }),
  callCase(
    modifyDoctorPayAccount,
    async (app) => {
      const { doctorId, version } = await anAccount(app);
      return { doctorId, version, ...payeeInput() };
    },
    { foreign: async () => ({ ...noDoctor, ...payeeInput() }) },
  ),
  callCase(verifyDoctorPayAccount, async (app) => ({ ...(await edited(app)), ...passed }), {
    foreign: async () => ({ ...noDoctor, ...passed }),
  }),
  callCase(
    freezeDoctorSettle,
    async (app) => {
      const { doctorId, version } = await anAccount(app);
      return { doctorId, version, opinion };
    },
    { foreign: async () => ({ ...noDoctor, opinion }) },
  ),
  callCase(
    unfreezeDoctorSettle,
    async (app) => {
      const { doctorId, version } = await anAccount(app);
      const frozen = await app.ok(freezeDoctorSettle, { doctorId, version, opinion }, { as: await keeper(app) });
      return { doctorId, version: frozen.version, opinion };
    },
    { foreign: async () => ({ ...noDoctor, opinion }) },
  ),
  callCase(
    revealDoctorPayAccount,
    async (app) => {
      const { doctorId } = await edited(app);
      const { id } = await own(app.db)
        .selectFrom('settlementAccount')
        .select('id')
        .where('doctorId', '=', doctorId)
        .executeTakeFirstOrThrow();
      return { id, field: 'bankAccountNo' as const };
    },
    { foreign: async () => ({ id: NONE, field: 'bankAccountNo' as const }) },
  ),
];
